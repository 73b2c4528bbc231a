import { SESSION_TEXT_MAX_LENGTH } from "@app/shared/sessions";
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";

export function AmendDialog() {
  const { change, show } = useCockpit();
  const [text, setText] = useState("");
  function save() {
    void change({ call: (sessions, id) => sessions.amend.mutate({ ...id, text: text.trim() }) });
    show(null);
  }
  const footer = (
    <>
      <BackButton />
      <Button disabled={text.trim() === ""} onClick={save}>
        Add amendment
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={() => show(null)} title="Add an amendment" footer={footer} isDirty={text !== ""}>
      <Textarea
        label="What is to be corrected"
        description="The record stays as it is. The amendment stands under it for good, with your name and the time."
        autosize
        minRows={3}
        maxLength={SESSION_TEXT_MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Dialog>
  );
}
