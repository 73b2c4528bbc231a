import { Box, Button, Checkbox, NumberInput } from "@mantine/core";
import { useState } from "react";
import { type Session, SESSION_MINUTES_MAX, unreviewedIn } from "@app/shared/sessions";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { useSaveQueue } from "../notes/save-queue.ts";
import { useCockpit } from "./cockpit-context.ts";
import { HeldBy, useMediators } from "./held-by.tsx";
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
          Not recorded yet whether they came: {unmarked.map(({ name }) => name).join(", ")}. The words under each name
          open the choice.
        </p>
      )}
      {unreviewed.length > 0 && (
        <p>Record the safety review of {unreviewed.map(({ name }) => name).join(" and ")} first.</p>
      )}
    </Dialog>
  );
}

/** What still stands in the way is said where it was asked for, and nothing is kept of it before it is locked. */
function useLock() {
  const { change, show } = useCockpit();
  const [asked, setAsked] = useState<string>();
  const [refused, setRefused] = useState("");
  const [unheld, setUnheld] = useState<string>();
  async function lock({ unmetReason, mediators, ...billing }: Locked) {
    setRefused("");
    const said = {
      unmetReason: unmetReason.trim(),
      billing,
      ...(mediators.isDirty ? { mediatorIds: mediators.ids } : {}),
    };
    const isTaken = await change({
      call: (sessions, id) => sessions.move.mutate({ ...id, to: "locked", ...said }),
      refuse: (error) => {
        const { unmetReason: message, mediatorIds: wrong } = fieldErrorsOf(error);
        setAsked(message);
        setUnheld(wrong);
        if (message === undefined && wrong === undefined) setRefused(messageOf(error));
        return true;
      },
    });
    if (isTaken) show(null);
  }
  return { lock, asked, unheld, refused };
}

interface Locked extends Billing {
  unmetReason: string;
  mediators: ReturnType<typeof useMediators>;
}

type Billing = Pick<Session, "minutes" | "isBillable" | "countsForLegalAid">;

const billingOf = ({ minutes, isBillable, countsForLegalAid }: Session): Billing => ({
  minutes,
  isBillable,
  countsForLegalAid,
});

function LockForm() {
  const { session, show } = useCockpit();
  const { waiting } = useSaveQueue();
  const { lock, asked, unheld, refused } = useLock();
  const mediators = useMediators(session);
  const [billing, setBilling] = useState(() => billingOf(session));
  const [unmetReason, setUnmetReason] = useState("");
  const set = (change: Partial<Billing>) => setBilling((before) => ({ ...before, ...change }));

  return (
    <ConfirmDialog
      isOpen
      onClose={() => show(null)}
      title={`Lock session ${session.number}`}
      confirmLabel="Lock for good"
      textToType="lock"
      isDestructive={false}
      isBusy={waiting > 0}
      isDirty={billing.minutes !== session.minutes || unmetReason !== "" || mediators.isDirty}
      onConfirm={() => void lock({ ...billing, unmetReason, mediators })}
    >
      <p>
        After this nobody can change this session or its notes, and it cannot be unlocked. Corrections are added as
        amendments, with your name and the time.
      </p>
      <HeldBy {...mediators} error={unheld} />
      <NumberInput
        mt="md"
        label="Minutes to record"
        min={0}
        max={SESSION_MINUTES_MAX}
        value={billing.minutes}
        onChange={(value) => set({ minutes: Math.round(Number(value) || 0) })}
      />
      <Checkbox
        mt="md"
        label="This session is charged for"
        checked={billing.isBillable}
        onChange={(event) => set({ isBillable: event.currentTarget.checked })}
      />
      <Checkbox
        mt="sm"
        label="It counts for legal aid"
        checked={billing.countsForLegalAid}
        onChange={(event) => set({ countsForLegalAid: event.currentTarget.checked })}
      />
      <Box mt="md">
        <UnmetReasonField value={unmetReason} error={asked} onChange={setUnmetReason} />
      </Box>
      {refused && <NotYet words={refused} />}
    </ConfirmDialog>
  );
}

/** What stands in the way is mostly in the case: the safeguarding record of a party, or the screening. */
function NotYet({ words }: { words: string }) {
  const { theCase } = useCockpit();
  const clientId = theCase.parties[0]?.clientId ?? "";
  return (
    <FormFailure>
      <p>Not locked yet. {words}</p>
      <LinkButton
        to="/clients/view/$id"
        params={{ id: clientId }}
        search={{ tab: "case", case: theCase.id }}
        variant="default"
      >
        Open the case
      </LinkButton>
    </FormFailure>
  );
}
