import { SESSION_TEXT_MAX_LENGTH } from "@app/shared/sessions";
import { Button, Radio, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";

/** Screening goes on while people mediate: whether anything has changed is asked in each session. */
export function SafetyDialog() {
  const { session, change, show } = useCockpit();
  const [answer, setAnswer] = useState<string | null>(null);
  const [note, setNote] = useState(session.safetyReview?.note ?? "");
  const isChanged = answer === "changed";
  const isDirty = answer !== null || note !== (session.safetyReview?.note ?? "");
  const isReady = answer !== null && (!isChanged || note.trim() !== "");
  function save() {
    const safetyReview = { isChanged, note: note.trim() };
    void change({
      apply: (before) => ({ ...before, safetyReview: { ...safetyReview, at: new Date().toISOString() } }),
      call: (sessions, id) => sessions.update.mutate({ ...id, safetyReview }),
    });
    show(null);
  }
  const footer = (
    <>
      <BackButton />
      <Button disabled={!isReady} onClick={save}>
        Save review
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={() => show(null)} title="Safety review" footer={footer} isDirty={isDirty}>
      <Radio.Group label="Has anything changed for anybody’s safety?" value={answer} onChange={setAnswer}>
        <Stack gap="sm" mt="xs" mb="md">
          <Radio value="unchanged" label="No, the measures still fit" />
          <Radio value="changed" label="Yes, there is a concern" />
        </Stack>
      </Radio.Group>
      <Textarea
        label={isChanged ? "What is the concern, and what was done?" : "Note (optional)"}
        description="Kept by the practice. No party reads this."
        autosize
        minRows={3}
        maxLength={SESSION_TEXT_MAX_LENGTH}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {isChanged && (
        <p className="cockpit-hint">
          Think of pausing the session, and screen the party again on the client’s page. Significant harm to a child or
          an adult overrides confidentiality.
        </p>
      )}
    </Dialog>
  );
}
