import { cityOf } from "@app/shared/zone-names";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { useSoonest } from "../../core/soonest.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { ChangedPage } from "./changed-page.tsx";
import { DepositNote } from "./deposit-note.tsx";
import { depositText } from "./deposit-text.ts";
import { DetailsForm } from "./details-form.tsx";
import { forgetChoice, forgetTyped, type Held, keepTyped, keptTyped } from "./kept-choice.ts";
import { PublicChoice } from "./public-fields.tsx";
import { NextTimes } from "./next-times.tsx";
import { shownAs, type ShownPage } from "./page-changes.ts";
import { PLACES } from "./places.ts";
import { TimePicker } from "./time-picker.tsx";
import type { Typed } from "./typed-details.ts";
import { useDetailsStep } from "./use-details-step.ts";
import { ANYBODY, useHeldTime } from "./use-held-time.ts";
import { ownTimeZone, zoneFormats } from "./zone-formats.ts";

interface Props {
  id: string;
  page: ShownPage;
  /** The address says that they are at their details. */
  isAtDetails: boolean;
  /** Takes a new form, as after a day. */
  onReload: () => void;
}

/** Chooses a time, which is then held, and enters what the practice asks. */
export function BookPage({ id, page, isAtDetails, onReload }: Props) {
  const navigate = useNavigate();
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const [typed, setTyped] = useState(() => keptTyped(id));
  const type = useCallback(
    (now: Typed) => {
      setTyped(now);
      keepTyped(id, now);
    },
    [id],
  );
  const untilTaken = useSoonest(page.formToken);
  const holding = useHeldTime({ id, page, timeZone, onReload });
  const { chosen, held, refuse } = holding;
  const { goToDetails, leaveDetails } = useDetailsStep({ id, isAtDetails, isHeld: held !== null });
  if (held && isAtDetails)
    return (
      <DetailsForm
        page={page}
        summary={<Summary held={held} page={page} timeZone={timeZone} />}
        typed={typed}
        onType={type}
        onBack={leaveDetails}
        onTaken={(error) => refuse(error, held.startsAt)}
        submit={async (details) => {
          await untilTaken();
          const { formToken, deposit: shownDeposit } = page;
          const booked = { ...chosen, startsAt: held.startsAt, timeZone, ...details, formToken, shownDeposit };
          const { manageId, payPath } = await apiClient.bookings.book.mutate(booked);
          forgetChoice(id);
          forgetTyped(id);
          const params = { id: manageId };
          await navigate({ to: "/schedule-meeting/$id", params, hash: "booked", replace: true, ignoreBlocker: true });
          // Back from there leads to what they booked.
          if (payPath !== "") window.location.assign(payPath);
        }}
      />
    );
  return (
    <>
      <h1 className="plain-title">{page.title}</h1>
      <p className="plain-text">
        {page.minutes} minutes, {PLACES[page.locationKind].toLowerCase()}.
        {page.needsConfirmation && " We confirm the time that you choose, and keep it for you until then."}
      </p>
      <DepositNote page={page} />
      {holding.changed && <ChangedPage key={shownAs(page)} {...holding.changed} />}
      {holding.failure && (
        <NextTimes
          failure={holding.failure}
          taken={holding.taken}
          slots={holding.slots}
          locale={page.locale}
          timeZone={timeZone}
          onChoose={(startsAt) => void holding.choose(startsAt)}
        />
      )}
      {holding.slotsFailure && <FormFailure>{holding.slotsFailure}</FormFailure>}
      <div className="booking-columns">
        <TimeChoice page={page} holding={holding} timeZone={timeZone} onTimeZone={setTimeZone} />
        {held && (
          <div key={held.startsAt} className="booking-summary">
            <Summary held={held} page={page} timeZone={timeZone} isNew={holding.changed === null} />
            <Button size="lg" fullWidth onClick={goToDetails}>
              Continue to your details
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

interface ChoiceProps {
  page: ShownPage;
  holding: ReturnType<typeof useHeldTime>;
  timeZone: string;
  onTimeZone: (timeZone: string) => void;
}

function TimeChoice({ page, holding, timeZone, onTimeZone }: ChoiceProps) {
  const { mediator, held, slots, hasLater, slotsFailure, choose, chooseMediator } = holding;
  return (
    <div>
      {page.mediators.length > 0 && (
        <PublicChoice
          label="With"
          value={mediator}
          choices={[
            { value: ANYBODY, label: "Whoever is free" },
            ...page.mediators.map(({ id: value, name: label }) => ({ value, label })),
          ]}
          onChange={chooseMediator}
        />
      )}
      {slots ? (
        <TimePicker
          slots={slots}
          hasLater={hasLater}
          locale={page.locale}
          timeZone={timeZone}
          practiceTimeZone={page.practiceTimeZone}
          chosen={held ? [held.startsAt] : []}
          onChoose={(startsAt) => void choose(startsAt)}
          onTimeZone={onTimeZone}
        />
      ) : (
        !slotsFailure && <p className="plain-text">Looking for free times</p>
      )}
    </div>
  );
}

/** What follows stands below all the times on a phone: whoever chose one goes on from here. */
function goOnFrom(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
  heading?.parentElement?.scrollIntoView({ block: "nearest" });
}

interface SummaryProps {
  held: Held;
  page: ShownPage;
  timeZone: string;
  /** It was chosen just now, on the page where it stands. */
  isNew?: boolean;
}

function Summary({ held, page, timeZone, isNew = false }: SummaryProps) {
  const { longDay, time } = zoneFormats(page.locale, timeZone);
  const end = new Date(Date.parse(held.startsAt) + page.minutes * 60_000);
  return (
    <>
      <h2 ref={isNew ? goOnFrom : undefined} tabIndex={-1}>
        Your meeting
      </h2>
      <p>{longDay(held.startsAt)}</p>
      <p>
        {time(held.startsAt)} to {time(end)}, {cityOf(timeZone)} time
      </p>
      <p>{PLACES[page.locationKind]}</p>
      {page.deposit && <p>To pay: {depositText(page)}</p>}
      <p className="booking-held">This time is held for you until {time(held.heldUntil)}.</p>
    </>
  );
}
