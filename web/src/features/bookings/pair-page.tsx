import { PICKS_MAX } from "@app/shared/booking-limits";
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
import { takeFocus } from "./take-focus.ts";
import { TimePicker } from "./time-picker.tsx";
import { useSlots } from "./use-slots.ts";
import { ownTimeZone, zoneFormats } from "./zone-formats.ts";

type Page = Extract<BookingPage, { kind: "pair" }>;

/** Of what they did before the page was read anew. */
export interface Told {
  text: string;
  isRefusal: boolean;
}

interface Props {
  id: string;
  page: Page;
  /** What it says is what came of what they just did. */
  isNew: boolean;
  /** What they are told on the page as it is then. */
  told: Told | null;
  onReload: (told?: Told) => void;
}

const DECLINED = "Thank you. We have noted that the time does not suit you, and do not keep it any more.";

/** Somebody says which times suit them, and confirms the one that the practice then keeps. */
export function PairPage({ id, page, isNew, told, onReload }: Props) {
  const [failure, setFailure] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [isCancelled, setIsCancelled] = useState(false);
  const untilTaken = useSoonest(page.formToken);
  const sent = { id, formToken: page.formToken, website: "" };
  const send = async (work: () => Promise<unknown>, taken?: string) => {
    setIsBusy(true);
    setFailure("");
    try {
      await untilTaken();
      await work();
      onReload(taken === undefined ? undefined : { text: taken, isRefusal: false });
    } catch (error) {
      // What they answered to is not there any more: the page says what is, and why it is not what they pressed.
      if (codeOf(error) === "PRECONDITION_FAILED") onReload({ text: messageOf(error), isRefusal: true });
      else setFailure(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  const cancel = async () => {
    setIsBusy(true);
    setFailure("");
    try {
      await untilTaken();
      await apiClient.bookings.cancel.mutate(sent);
      setIsCancelled(true);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  if (isCancelled || page.state === "cancelled") return <Cancelled isNew={isNew || isCancelled} />;
  return (
    <>
      {failure && <FormFailure>{failure}</FormFailure>}
      {!failure && told?.isRefusal && <FormFailure>{told.text}</FormFailure>}
      {page.own ? (
        <KeptTime
          page={page}
          isNew={isNew}
          isBusy={isBusy}
          onAnswer={(isAgreed) =>
            void send(() => apiClient.bookings.answer.mutate({ ...sent, isAgreed }), isAgreed ? undefined : DECLINED)
          }
          onCancel={() => void cancel()}
        />
      ) : (
        <PickTimes
          id={id}
          page={page}
          isNew={isNew}
          taken={told && !told.isRefusal ? told.text : ""}
          isBusy={isBusy}
          onPick={(picked) => void send(() => apiClient.bookings.pick.mutate({ ...sent, ...picked }))}
        />
      )}
    </>
  );
}

interface KeptProps extends Pick<Props, "page" | "isNew"> {
  isBusy: boolean;
  onAnswer: (isAgreed: boolean) => void;
  onCancel: () => void;
}

function KeptTime({ page, isNew, isBusy, onAnswer, onCancel }: KeptProps) {
  const { own, state, locale, hasConfirmed } = page;
  const timeZone = ownTimeZone();
  const { longDay, time } = zoneFormats(locale, timeZone);
  if (!own) return null;
  return (
    <>
      <h1 ref={isNew ? takeFocus : undefined} tabIndex={-1} className="plain-title">
        {state === "held" ? "Please confirm this time" : "Your appointment"}
      </h1>
      <p className="plain-text">
        {longDay(own.startsAt)}
        <br />
        {time(own.startsAt)} to {time(own.endsAt)}, {cityOf(timeZone)} time
        <br />
        {own.place}
      </p>
      {state === "held" && hasConfirmed && (
        <p className="plain-text">You have confirmed it. You get a message as soon as it is booked.</p>
      )}
      {state === "held" && (
        <div className="booking-actions">
          {!hasConfirmed && (
            <Button size="lg" loading={isBusy} onClick={() => onAnswer(true)}>
              Confirm this time
            </Button>
          )}
          <button type="button" className="plain-button" disabled={isBusy} onClick={() => onAnswer(false)}>
            This time does not suit me
          </button>
        </div>
      )}
      {state === "booked" && <BookedWays page={page} isBusy={isBusy} onCancel={onCancel} />}
    </>
  );
}

/** For their calendar, and the way to cancel it. */
function BookedWays({
  page: { own, locale, cancellableUntil },
  isBusy,
  onCancel,
}: Omit<KeptProps, "isNew" | "onAnswer">) {
  const [isAsked, setIsAsked] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  const { longDay, time } = zoneFormats(locale, ownTimeZone());
  const goBack = () => {
    setIsAsked(false);
    setWasAsked(true);
  };
  if (isAsked)
    return (
      <CancelStep
        after="We get in touch with you about another time."
        isBusy={isBusy}
        onCancel={onCancel}
        onBack={goBack}
      />
    );
  return (
    <>
      <div className="booking-actions">
        {own?.calendar && <CalendarButton calendar={own.calendar} />}
        {cancellableUntil !== null && (
          <button
            ref={wasAsked ? takeFocus : undefined}
            type="button"
            className="plain-button"
            onClick={() => setIsAsked(true)}
          >
            Cancel
          </button>
        )}
      </div>
      <p className="plain-small">
        {cancellableUntil !== null
          ? `You can cancel it here until ${longDay(cancellableUntil)}, ${time(cancellableUntil)}. To move it, please phone us.`
          : "It cannot be changed here any more. Phone us if you cannot come."}
      </p>
    </>
  );
}

const Cancelled = ({ isNew }: Pick<Props, "isNew">) => (
  <>
    <h1 ref={isNew ? takeFocus : undefined} tabIndex={-1} className="plain-title">
      Your appointment is cancelled
    </h1>
    <p className="plain-text">We get in touch with you about another time.</p>
  </>
);

interface PickProps extends Pick<Props, "id" | "page" | "isNew"> {
  /** What is taken of their answer to the time that was kept. */
  taken: string;
  isBusy: boolean;
  onPick: (picked: { times: string[]; timeZone: string }) => void;
}

function PickTimes({ id, page, isNew, taken, isBusy, onPick }: PickProps) {
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const [chosen, setChosen] = useState<readonly string[]>(page.picks);
  const { slots, hasLater, failure } = useSlots(id, null);
  // What was taken or went by since is no choice any more.
  const picks = slots ? chosen.filter((at) => slots.includes(at)) : chosen;
  const isWaiting = page.state === "waiting" && page.picks.some((at) => picks.includes(at));
  const { longDay, time } = zoneFormats(page.locale, timeZone);
  const toggle = (at: string) =>
    setChosen(picks.includes(at) ? picks.filter((one) => one !== at) : [...picks, at].sort().slice(0, PICKS_MAX));
  const said = (at: string) => `${longDay(at)}, ${time(at)}`;
  return (
    <>
      <h1 ref={isNew ? takeFocus : undefined} tabIndex={-1} className="plain-title">
        {isWaiting ? "We have your times" : page.title}
      </h1>
      {taken && (
        <p className="plain-text" role="status">
          {taken}
        </p>
      )}
      {chosen.length > picks.length && (
        <p className="plain-text" role="status">
          Not free any more, so we took it out:{" "}
          {chosen
            .filter((at) => !picks.includes(at))
            .map(said)
            .join("; ")}
          .{picks.length === 0 && " Please choose others."}
        </p>
      )}
      <p className="plain-text">
        {isWaiting
          ? "We look for a time every two hours, and you hear from us as soon as one works. Until then you can change your times."
          : `Choose every time that suits you, up to ${PICKS_MAX}. The more you choose, the sooner we find one.`}
      </p>
      {failure && <FormFailure>{failure}</FormFailure>}
      <div className="booking-columns">
        <div>
          {slots ? (
            <TimePicker
              slots={slots}
              hasLater={hasLater}
              locale={page.locale}
              timeZone={timeZone}
              practiceTimeZone={page.practiceTimeZone}
              chosen={picks}
              onChoose={toggle}
              onTimeZone={setTimeZone}
            />
          ) : (
            !failure && <p className="plain-text">Looking for free times</p>
          )}
        </div>
        {picks.length > 0 && (
          <div className="booking-summary">
            <h2>Your times</h2>
            <ul className="booking-picks">
              {picks.map((at) => (
                <li key={at}>
                  {said(at)}{" "}
                  <button type="button" className="plain-button" onClick={() => toggle(at)}>
                    Take out<span className="visually-hidden"> {said(at)}</span>
                  </button>
                </li>
              ))}
            </ul>
            <Button size="lg" fullWidth loading={isBusy} onClick={() => onPick({ times: [...picks], timeZone })}>
              Send these times
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
