import { ATTENDANCE_NAMES, ATTENDANCES, type Attendance } from "@app/shared/session-states";
import { type Session, SESSION_TEXT_MAX_LENGTH, unreviewedIn } from "@app/shared/sessions";
import { Button, Group, Select, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { partyOf, useCockpit } from "./cockpit-context.ts";
import { SafetyDialog } from "./safety-dialog.tsx";

const STATES = ATTENDANCES.map((value) => ({ value, label: ATTENDANCE_NAMES[value] }));

export function AmendDialog() {
  const { session, theCase, change, show } = useCockpit();
  const [text, setText] = useState("");
  const [isReviewing, setIsReviewing] = useState(false);
  const [marks, setMarks] = useState<Record<string, Attendance>>({});
  const stateOf = (id: string) => marks[id] ?? session.attendance.find(({ partyId }) => partyId === id)?.state ?? null;
  const attendance = Object.entries(marks).map(([partyId, state]) => ({ partyId, state }));
  const unreviewed = unreviewedAmong(session, attendance);
  async function save() {
    const isTaken = await change({
      call: (sessions, id) => sessions.amend.mutate({ ...id, text: text.trim(), attendance }),
    });
    if (isTaken) show(null);
  }
  const footer = (
    <>
      <BackButton />
      <Button disabled={text.trim() === "" || unreviewed.length > 0} onClick={() => void save()}>
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
        {unreviewed.length > 0 && (
          <Group justify="space-between">
            <p role="status">
              Record the safety review of {unreviewed.map((id) => partyOf(theCase, id)?.label).join(" and ")} first.
            </p>
            <Button variant="default" onClick={() => setIsReviewing(true)}>
              Record a safety review
            </Button>
          </Group>
        )}
        {isReviewing && <SafetyDialog onClose={() => setIsReviewing(false)} />}
      </Stack>
    </Dialog>
  );
}

type Marks = { partyId: string; state: Attendance }[];

/** Who is found to have come, and was not asked whether it is safe; whoever may not read reviews is told by the server. */
function unreviewedAmong({ partyIds, attendance, safetyReviews }: Session, marks: Marks): string[] {
  if (safetyReviews === null) return [];
  const isMarked = (id: string) => marks.some(({ partyId }) => partyId === id);
  const corrected = [...attendance.filter(({ partyId }) => !isMarked(partyId)), ...marks];
  const reviewedIds = safetyReviews.map(({ partyId }) => partyId);
  return unreviewedIn({ partyIds, attendance: corrected }, reviewedIds).filter(isMarked);
}
