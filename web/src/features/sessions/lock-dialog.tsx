import { Box, Button, Checkbox, NumberInput } from "@mantine/core";
import { useState } from "react";
import { SESSION_MINUTES_MAX, unreviewedIn } from "@app/shared/sessions";
import { fieldErrorsOf } from "../../core/errors.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useSaveQueue } from "../notes/save-queue.ts";
import { useCockpit } from "./cockpit-context.ts";
import { UnmetReasonField } from "./unmet-reason-field.tsx";
import { OutcomeDialog } from "./outcome-dialog.tsx";

/** What is missing is asked for first; then the session is locked for good. */
export function LockDialog() {
  const { session, theCase, show } = useCockpit();
  const close = () => show(null);
  const unmarked = theCase.parties.filter(
    ({ partyId }) => session.partyIds.includes(partyId) && !session.attendance.some((mark) => mark.partyId === partyId),
  );
  const reviewedIds = session.safetyReviews?.map(({ partyId }) => partyId);
  // Whoever may not read the reviews is told by the server, where they are not complete.
  const unreviewedIds = reviewedIds ? unreviewedIn(session, reviewedIds) : [];
  const unreviewed = theCase.parties.filter(({ partyId }) => unreviewedIds.includes(partyId));
  if (!session.outcome) return <OutcomeDialog title="Record the outcome first" action="Save the outcome" />;
  if (unmarked.length === 0 && unreviewed.length === 0) return <LockForm />;
  const footer = (
    <>
      <Button variant={unreviewed.length > 0 ? "default" : "filled"} onClick={close}>
        Go back
      </Button>
      {unreviewed.length > 0 && <Button onClick={() => show("safety")}>Record a safety review</Button>}
    </>
  );
  return (
    <Dialog isOpen onClose={close} title="Not ready to lock" footer={footer}>
      {unmarked.length > 0 && (
        <p>
          Record first whether {unmarked.map(({ name }) => name).join(" and ")} came: the words under each name open the
          choice.
        </p>
      )}
      {unreviewed.length > 0 && (
        <p>Record the safety review of {unreviewed.map(({ name }) => name).join(" and ")} first.</p>
      )}
    </Dialog>
  );
}

function LockForm() {
  const { session, change, show } = useCockpit();
  const { waiting } = useSaveQueue();
  const [minutes, setMinutes] = useState(session.minutes);
  const [isBillable, setIsBillable] = useState(session.isBillable);
  const [countsForLegalAid, setCountsForLegalAid] = useState(session.countsForLegalAid);

  const [unmetReason, setUnmetReason] = useState("");
  const [asked, setAsked] = useState<string>();

  async function lock() {
    const billing = { minutes, isBillable, countsForLegalAid };
    void change({ call: (sessions, id) => sessions.update.mutate({ ...id, ...billing }) });
    const isTaken = await change({
      call: (sessions, id) => sessions.move.mutate({ ...id, to: "locked", unmetReason: unmetReason.trim() }),
      refuse: (error) => {
        const { unmetReason: message } = fieldErrorsOf(error);
        setAsked(message);
        return message !== undefined;
      },
    });
    if (isTaken) show(null);
  }

  return (
    <ConfirmDialog
      isOpen
      onClose={() => show(null)}
      title={`Lock session ${session.number}`}
      confirmLabel="Lock for good"
      textToType="lock"
      isDestructive={false}
      isBusy={waiting > 0}
      isDirty={minutes !== session.minutes || unmetReason !== ""}
      onConfirm={() => void lock()}
    >
      <p>
        After this nobody can change this session or its notes, and it cannot be unlocked. Corrections are added as
        amendments, with your name and the time.
      </p>
      <NumberInput
        label="Minutes to record"
        min={0}
        max={SESSION_MINUTES_MAX}
        value={minutes}
        onChange={(value) => setMinutes(Math.round(Number(value) || 0))}
      />
      <Checkbox
        mt="md"
        label="This session is charged for"
        checked={isBillable}
        onChange={(event) => setIsBillable(event.currentTarget.checked)}
      />
      <Checkbox
        mt="sm"
        label="It counts for legal aid"
        checked={countsForLegalAid}
        onChange={(event) => setCountsForLegalAid(event.currentTarget.checked)}
      />
      <Box mt="md">
        <UnmetReasonField value={unmetReason} error={asked} onChange={setUnmetReason} />
      </Box>
    </ConfirmDialog>
  );
}
