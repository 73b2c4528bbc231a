import { ATTENDANCE_NAMES, ATTENDANCES, type Attendance } from "@app/shared/session-states";
import { SESSION_TEXT_MAX_LENGTH } from "@app/shared/sessions";
import { Button, Select, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";

const STATES = ATTENDANCES.map((value) => ({ value, label: ATTENDANCE_NAMES[value] }));

export function AmendDialog() {
  const { session, theCase, change, show } = useCockpit();
  const [text, setText] = useState("");
  const [marks, setMarks] = useState<Record<string, Attendance>>({});
  const stateOf = (id: string) => marks[id] ?? session.attendance.find(({ partyId }) => partyId === id)?.state ?? null;
  function save() {
    const attendance = Object.entries(marks).map(([partyId, state]) => ({ partyId, state }));
    void change({ call: (sessions, id) => sessions.amend.mutate({ ...id, text: text.trim(), attendance }) });
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
  const isDirty = text !== "" || Object.keys(marks).length > 0;
  return (
    <Dialog isOpen onClose={() => show(null)} title="Add an amendment" footer={footer} isDirty={isDirty}>
      <Stack gap="md">
        <Textarea
          label="What is to be corrected"
          description="What was recorded stays readable. The amendment stands under it for good, with your name and the time."
          autosize
          minRows={3}
          maxLength={SESSION_TEXT_MAX_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p className="cockpit-hint">
          Change who came only where it was recorded wrong. Certificates and reports go by it from then on, and what was
          recorded before stays readable.
        </p>
        {theCase.parties.map(({ partyId, label, name }) => (
          <Select
            key={partyId}
            label={`${label} ${name}`}
            placeholder="Not recorded"
            data={STATES}
            allowDeselect={false}
            value={stateOf(partyId)}
            onChange={(state) => state && setMarks((before) => ({ ...before, [partyId]: state }))}
          />
        ))}
      </Stack>
    </Dialog>
  );
}
