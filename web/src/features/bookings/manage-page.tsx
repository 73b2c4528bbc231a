import type { BookingPage } from "@app/shared/bookings";
import { cityOf } from "@app/shared/zone-names";
import { Button } from "@mantine/core";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { useSoonest } from "../../core/soonest.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { CalendarButton } from "./calendar-button.tsx";
import { CancelStep } from "./cancel-step.tsx";
import { isToPay, OwnDeposit } from "./own-deposit.tsx";
import { NextTimes } from "./next-times.tsx";
import { takeFocus } from "./take-focus.ts";
import { TimePicker } from "./time-picker.tsx";
import { useSlots } from "./use-slots.ts";
import { ownTimeZone, zoneFormats } from "./zone-formats.ts";

type Page = Extract<BookingPage, { kind: "manage" }>;

interface Props {
  id: string;
  page: Page;
  isJustBooked: boolean;
  /** What it says is what came of what they just did. */
  isNew: boolean;
  onReload: () => void;
}

type Act = "move" | "cancel" | null;

/** What somebody booked: when it is, for their calendar, and the ways to move or cancel it. */
export function ManagePage({ id, page, isJustBooked, isNew, onReload }: Props) {
  const [act, setAct] = useState<Act>(null);
  const [left, setLeft] = useState<Act>(null);
  const [failure, setFailure] = useState("");
  const [taken, setTaken] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const untilTaken = useSoonest(page.formToken);
  const sent = { id, formToken: page.formToken, website: "" };
  const send = async (work: () => Promise<unknown>, startsAt: string | null = null) => {
    setIsBusy(true);
    setFailure("");
    setTaken(null);
    try {
      await untilTaken();
      await work();
      setAct(null);
      onReload();
    } catch (error) {
      setFailure(messageOf(error));
      if (codeOf(error) !== "CONFLICT") return;
      setTaken(startsAt);
      setAct("move");
    } finally {
      setIsBusy(false);
    }
  };
  const goBack = () => {
    setLeft(act);
    setAct(null);
  };
  return (
    <>
      <h1 ref={isNew ? takeFocus : undefined} tabIndex={-1} className="plain-title">
        {titleOf(page, isJustBooked)}
      </h1>
      {failure && !(act === "move" && taken) && <FormFailure>{failure}</FormFailure>}
      <AppointmentView page={page} />
      {act === null && <OwnDeposit page={page} onReload={onReload} />}
      {act === "move" && (
        <MoveTime
          key={taken}
          id={id}
          page={page}
          refused={taken === null ? null : { failure, taken }}
          isBusy={isBusy}
          onBack={goBack}
          onMove={(startsAt) => void send(() => apiClient.bookings.move.mutate({ ...sent, startsAt }), startsAt)}
        />
      )}
      {act === "cancel" && (
        <CancelStep
          after={afterCancelling(page)}
          isBusy={isBusy}
          onCancel={() => void send(() => apiClient.bookings.cancel.mutate(sent))}
          onBack={goBack}
        />
      )}
      {act === null && page.state === "coming" && <Ways page={page} left={left} onAct={setAct} />}
    </>
  );
}

function titleOf(page: Page, isJustBooked: boolean): string {
  const { state, appointment, deposit } = page;
  if (isToPay(page)) return "Pay to book this time";
  if (state === "cancelled" && deposit?.state === "lapsed") return "This time is not held any more";
  if (state === "cancelled") return "This appointment is cancelled";
  if (state === "over") return "This appointment is over";
  if (!appointment.isConfirmed) return "Your request is with us";
  return isJustBooked ? "Your appointment is booked" : "Your appointment";
}

function afterCancelling({ deposit }: Page): string {
  const isPaid = deposit?.state === "paid" || deposit?.state === "part_refunded";
  return `The time is then free for somebody else.${isPaid ? " What you paid is not returned by itself: we look at it, and tell you what we return." : ""}`;
}

function AppointmentView({ page }: { page: Page }) {
  const { appointment, locale, state } = page;
  const timeZone = ownTimeZone();
  const { longDay, time } = zoneFormats(locale, timeZone);
  return (
    <>
      <p className="plain-text">
        {longDay(appointment.startsAt)}
        <br />
        {time(appointment.startsAt)} to {time(appointment.endsAt)}, {cityOf(timeZone)} time
        <br />
        {appointment.place}
      </p>
      {state === "coming" && !appointment.isConfirmed && !isToPay(page) && (
        <p className="plain-text">The time is kept for you. You get a message as soon as it is confirmed.</p>
      )}
    </>
  );
}

interface WaysProps {
  page: Page;
  /** From which they just came back. */
  left: Act;
  onAct: (act: Act) => void;
}

function Ways({ page, left, onAct }: WaysProps) {
  const { appointment, isChangeable, isMovable, changeableUntil, locale } = page;
  const ways = isMovable ? "change or cancel it here" : "cancel it here";
  const { longDay, time } = zoneFormats(locale, ownTimeZone());
  return (
    <>
      <div className="booking-actions">
        {!isToPay(page) && <CalendarButton calendar={appointment.calendar} />}
        {isChangeable && (
          <>
            {isMovable && (
              <button
                ref={left === "move" ? takeFocus : undefined}
                type="button"
                className="plain-button"
                onClick={() => onAct("move")}
              >
                Choose another time
              </button>
            )}
            <button
              ref={left === "cancel" ? takeFocus : undefined}
              type="button"
              className="plain-button"
              onClick={() => onAct("cancel")}
            >
              Cancel
            </button>
          </>
        )}
      </div>
      <p className="plain-small">
        {isChangeable
          ? `You can ${ways} until ${longDay(changeableUntil)}, ${time(changeableUntil)}.${isMovable || isToPay(page) ? "" : " To move it, please phone us."} Keep the address of this page: whoever has it can do the same.`
          : "It cannot be changed here any more. Phone us if you cannot come."}
      </p>
    </>
  );
}

interface MoveProps {
  id: string;
  page: Page;
  /** The time that they chose before, which somebody else has by now. */
  refused: { failure: string; taken: string } | null;
  isBusy: boolean;
  onBack: () => void;
  onMove: (startsAt: string) => void;
}

function MoveTime({ id, page, refused, isBusy, onBack, onMove }: MoveProps) {
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const [chosen, setChosen] = useState("");
  const { slots, hasLater, failure } = useSlots(id, null);
  return (
    <section
      ref={refused ? undefined : takeFocus}
      tabIndex={-1}
      aria-label="Choose another time"
      className="booking-step-head"
    >
      {failure && <FormFailure>{failure}</FormFailure>}
      {refused && <NextTimes {...refused} {...{ slots, timeZone }} locale={page.locale} onChoose={setChosen} />}
      {slots && (
        <TimePicker
          slots={slots}
          hasLater={hasLater}
          locale={page.locale}
          timeZone={timeZone}
          practiceTimeZone={page.practiceTimeZone}
          chosen={chosen === "" ? [] : [chosen]}
          onChoose={setChosen}
          onTimeZone={setTimeZone}
        />
      )}
      <div className="booking-actions">
        <Button size="lg" disabled={chosen === ""} loading={isBusy} onClick={() => onMove(chosen)}>
          Move to this time
        </Button>
        <button type="button" className="plain-button" onClick={onBack}>
          Keep the time as it is
        </button>
      </div>
    </section>
  );
}
