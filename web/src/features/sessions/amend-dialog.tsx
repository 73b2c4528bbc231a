import {
  SESSION_ATTENDANCE_NAMES,
  SESSION_ATTENDANCES,
  type SessionAttendance,
  NOT_ASKED_NAME,
} from "@app/shared/session-states";
import { SESSION_TEXT_MAX_LENGTH } from "@app/shared/session-outcomes";
import { type Session, unreviewedIn } from "@app/shared/sessions";
import { Button, Group, Select, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { checkWhen, instantsOf, whenOf } from "../../ui/when-fields.tsx";
import { partyOf, useCockpit } from "./cockpit-context.ts";
import { HeldBy, useMediators } from "./held-by.tsx";
import { HeldFields, NO_TIME } from "./held-fields.tsx";
import { OutcomeFields, useOutcome } from "./outcome-fields.tsx";
import { SafetyDialog } from "./safety-dialog.tsx";

const NOT_ASKED = "not_asked";
const STATES = [
  ...SESSION_ATTENDANCES.map((value) => ({ value, label: SESSION_ATTENDANCE_NAMES[value] })),
  { value: NOT_ASKED, label: NOT_ASKED_NAME },
] as const;

export function AmendDialog() {
  const { show } = useCockpit();
  const amendment = useAmendment();
  const { text, setText, marks, held, outcome, mediators, errors, refused, isDirty } = amendment;
  const footer = (
    <>
      <BackButton />
      <Button disabled={text.trim() === "" || marks.unreviewed.length > 0} onClick={() => void amendment.save()}>
        Add amendment
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={() => show(null)} title="Add an amendment" size="form" footer={footer} isDirty={isDirty}>
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
          Change below only what was recorded wrong. Certificates and reports go by it from then on, and what was
          recorded before stays readable.
        </p>
        <HeldFields value={held.value} errors={errors} onWhen={held.setWhen} onReason={held.setReason} />
        <HeldBy {...mediators} error={errors["mediatorIds"]} />
        <WhoCame {...marks} />
        <OutcomeFields outcome={outcome} error={errors["outcome"]} />
        {refused && <FormFailure>{refused}</FormFailure>}
      </Stack>
    </Dialog>
  );
}

/** As it stands, until somebody changes it: only what was changed is sent. */
function useAmendment() {
  const { session, change, show } = useCockpit();
  const [text, setText] = useState("");
  const marks = useMarks(session);
  const held = useHeld(session);
  const outcome = useOutcome(session);
  const mediators = useMediators(session);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState("");
  async function save() {
    const wrong = held.check();
    setErrors(wrong);
    setRefused("");
    if (Object.keys(wrong).length > 0) return;
    const corrected = {
      text: text.trim(),
      attendance: marks.attendance,
      times: held.times(),
      outcome: outcome.isDirty ? outcome.value : null,
      mediatorIds: mediators.isDirty ? mediators.ids : null,
      unmetReason: held.value.unmetReason.trim(),
    };
    const isTaken = await change({
      call: (sessions, id) => sessions.amend.mutate({ ...id, ...corrected }),
      refuse: (error) => {
        const fields = fieldErrorsOf(error);
        setErrors({ ...fields, endedAt: fields["endedAt"] ?? fields["times.endedAt"] ?? "" });
        if (
          !["startedAt", "endedAt", "times.endedAt", "outcome", "unmetReason", "mediatorIds"].some(
            (field) => fields[field],
          )
        )
          setRefused(messageOf(error));
        return true;
      },
    });
    if (isTaken) show(null);
  }
  const isDirty = text !== "" || marks.attendance.length > 0 || held.isDirty || outcome.isDirty || mediators.isDirty;
  return { text, setText, marks, held, outcome, mediators, errors, refused, isDirty, save };
}

function useHeld({ startedAt, endedAt }: Session) {
  const { timeZone } = useCurrentUser();
  const stored = startedAt !== null && endedAt !== null ? whenOf(timeZone, startedAt, endedAt) : NO_TIME;
  const [when, setWhen] = useState(stored);
  const [unmetReason, setReason] = useState("");
  const isDirty = when.day !== stored.day || when.from !== stored.from || when.to !== stored.to;
  const times = () => {
    if (!isDirty) return null;
    const { startsAt, endsAt } = instantsOf(timeZone, when);
    return { startedAt: startsAt, endedAt: endsAt };
  };
  const check = () => (isDirty ? checkWhen(when) : {});
  return { value: { when, unmetReason }, setWhen, setReason, isDirty, times, check };
}

function useMarks(session: Session) {
  const [changed, setChanged] = useState<Record<string, SessionAttendance | typeof NOT_ASKED>>({});
  const attendance = Object.entries(changed).map(([partyId, state]) => ({
    partyId,
    state: state === NOT_ASKED ? null : state,
  }));
  const stateOf = (id: string) =>
    changed[id] ?? session.attendance.find(({ partyId }) => partyId === id)?.state ?? null;
  const set = (partyId: string, state: SessionAttendance | typeof NOT_ASKED) =>
    setChanged((before) => ({ ...before, [partyId]: state }));
  return { attendance, stateOf, set, unreviewed: unreviewedAmong(session, attendance) };
}

function WhoCame({ stateOf, set, unreviewed }: ReturnType<typeof useMarks>) {
  const { theCase } = useCockpit();
  const [isReviewing, setIsReviewing] = useState(false);
  return (
    <>
      {theCase.parties.map(({ partyId, label, name }) => (
        <Select
          key={partyId}
          label={`${label} ${name}`}
          placeholder="Not recorded"
          data={STATES}
          allowDeselect={false}
          value={stateOf(partyId)}
          onChange={(state) => state && set(partyId, state)}
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
    </>
  );
}

type Marks = { partyId: string; state: SessionAttendance | null }[];

/** Who is found to have come, and was not asked whether it is safe; whoever may not read reviews is told by the server. */
function unreviewedAmong({ partyIds, attendance, safetyReviews }: Session, marks: Marks): string[] {
  if (safetyReviews === null) return [];
  const isMarked = (id: string) => marks.some(({ partyId }) => partyId === id);
  const found = marks.flatMap(({ partyId, state }) => (state === null ? [] : [{ partyId, state }]));
  const corrected = [...attendance.filter(({ partyId }) => !isMarked(partyId)), ...found];
  const reviewedIds = safetyReviews.map(({ partyId }) => partyId);
  return unreviewedIn({ partyIds, attendance: corrected }, reviewedIds).filter(isMarked);
}
