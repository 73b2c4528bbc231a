import type { BookingPage } from "@app/shared/bookings";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { DetailsForm } from "./details-form.tsx";
import { PublicChoice } from "./public-fields.tsx";
import { TimePicker } from "./time-picker.tsx";
import { useSlots } from "./use-slots.ts";
import { cityOf, ownTimeZone, zoneFormats } from "./zone-formats.ts";

type Page = Extract<BookingPage, { kind: "book" }>;

const PLACES = { in_person: "In person", video: "By video", phone: "By phone" } as const;
const ANYBODY = "anybody";

interface Props {
  id: string;
  page: Page;
  /** Takes a new form, as after a day. */
  onReload: () => void;
}

interface Held {
  startsAt: string;
  heldUntil: string;
}

/** The time that is held for this visitor, as it is chosen and lost. */
function useHeldTime({ id, onReload }: Pick<Props, "id" | "onReload">) {
  const [holder] = useState(makeId);
  const [mediator, setMediator] = useState(ANYBODY);
  const [held, setHeld] = useState<Held | null>(null);
  const [isAtDetails, setIsAtDetails] = useState(false);
  const [failure, setFailure] = useState("");
  const mediatorId = mediator === ANYBODY ? null : mediator;
  const { slots, failure: slotsFailure, reload } = useSlots(id, mediatorId);
  const refuse = (error: unknown) => {
    setHeld(null);
    setIsAtDetails(false);
    setFailure(messageOf(error));
    if (codeOf(error) === "CONFLICT") reload();
    else if (codeOf(error) === "PRECONDITION_FAILED") onReload();
  };
  const choose = async (startsAt: string) => {
    setFailure("");
    try {
      const { heldUntil } = await apiClient.bookings.hold.mutate({ id, mediatorId, startsAt, holder });
      setHeld({ startsAt, heldUntil });
    } catch (error) {
      refuse(error);
    }
  };
  const chooseMediator = (chosen: string) => {
    setMediator(chosen);
    if (held) void apiClient.bookings.letGo.mutate({ id, holder });
    setHeld(null);
  };
  const chosen = { id, mediatorId, holder };
  const failures = [failure, slotsFailure].filter(Boolean);
  return { chosen, mediator, held, isAtDetails, setIsAtDetails, slots, failures, refuse, choose, chooseMediator };
}

/** Chooses a time, which is then held, and enters what the practice asks. */
export function BookPage({ id, page, onReload }: Props) {
  const navigate = useNavigate();
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const holding = useHeldTime({ id, onReload });
  const { chosen, held, isAtDetails, setIsAtDetails, refuse } = holding;
  const summary = held && <Summary held={held} page={page} timeZone={timeZone} />;
  if (held && isAtDetails)
    return (
      <DetailsForm
        page={page}
        summary={summary}
        onBack={() => setIsAtDetails(false)}
        onTaken={refuse}
        submit={async (details) => {
          const booked = { ...chosen, startsAt: held.startsAt, timeZone, ...details, formToken: page.formToken };
          const { manageId } = await apiClient.bookings.book.mutate(booked);
          await navigate({
            to: "/schedule-meeting/$id",
            params: { id: manageId },
            hash: "booked",
            replace: true,
            ignoreBlocker: true,
          });
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
      {holding.failures.map((failure) => (
        <FormFailure key={failure}>{failure}</FormFailure>
      ))}
      <div className="booking-columns">
        <TimeChoice page={page} holding={holding} timeZone={timeZone} onTimeZone={setTimeZone} />
        {held && (
          <div key={held.startsAt} ref={bringIntoSight} className="booking-summary" aria-live="polite">
            {summary}
            <Button size="lg" fullWidth onClick={() => setIsAtDetails(true)}>
              Continue to your details
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

interface ChoiceProps {
  page: Page;
  holding: ReturnType<typeof useHeldTime>;
  timeZone: string;
  onTimeZone: (timeZone: string) => void;
}

function TimeChoice({ page, holding, timeZone, onTimeZone }: ChoiceProps) {
  const { mediator, held, slots, failures, choose, chooseMediator } = holding;
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
          locale={page.locale}
          timeZone={timeZone}
          practiceTimeZone={page.practiceTimeZone}
          chosen={held ? [held.startsAt] : []}
          onChoose={(startsAt) => void choose(startsAt)}
          onTimeZone={onTimeZone}
        />
      ) : (
        failures.length === 0 && <p className="plain-text">Looking for free times</p>
      )}
    </div>
  );
}

/** On a phone it stands below all the times. */
const bringIntoSight = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

function Summary({ held, page, timeZone }: { held: Held; page: Page; timeZone: string }) {
  const { longDay, time } = zoneFormats(page.locale, timeZone);
  const end = new Date(Date.parse(held.startsAt) + page.minutes * 60_000);
  return (
    <>
      <h2>Your meeting</h2>
      <p>{longDay(held.startsAt)}</p>
      <p>
        {time(held.startsAt)} to {time(end)}, {cityOf(timeZone)} time
      </p>
      <p>{PLACES[page.locationKind]}</p>
      <p className="booking-held">This time is held for you until {time(held.heldUntil)}.</p>
    </>
  );
}
