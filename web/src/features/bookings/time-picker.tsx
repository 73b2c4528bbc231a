import { dayIn } from "@app/shared/days";
import { IconCheck, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { countWords, DAYS_SHOWN, monthWords, noonOf, slotDays } from "./slot-days.ts";
import { ZoneField } from "./zone-field.tsx";
import { zoneFormats } from "./zone-formats.ts";

interface Props {
  slots: readonly string[];
  /** There are later times than these. */
  hasLater: boolean;
  locale: string;
  timeZone: string;
  practiceTimeZone: string;
  /** Which times are chosen. */
  chosen: readonly string[];
  onChoose: (startsAt: string) => void;
  onTimeZone: (timeZone: string) => void;
}

/** The days that can be booked, and the times of one of them; all in the visitor's own zone. */
export function TimePicker({
  slots,
  hasLater,
  locale,
  timeZone,
  practiceTimeZone,
  chosen,
  onChoose,
  onTimeZone,
}: Props) {
  const days = slotDays(slots, timeZone);
  // It begins where they chose one before.
  const [picked, setPicked] = useState(() => (chosen[0] === undefined ? "" : dayIn(timeZone, new Date(chosen[0]))));
  const [first, setFirst] = useState(() => {
    const at = Math.max(
      days.findIndex(({ day }) => day === picked),
      0,
    );
    return at - (at % DAYS_SHOWN);
  });
  const start = Math.min(first, Math.max(days.length - 1, 0));
  const shown = days.slice(start, start + DAYS_SHOWN);
  const open = shown.find(({ day }) => day === picked) ?? shown.find(({ times }) => times.length > 0);
  const ofDays = zoneFormats(locale, "UTC");
  if (days.length === 0)
    return <p className="plain-text">No time is free at the moment. Phone us, or look again later.</p>;
  return (
    <>
      <Month
        title={monthWords(shown, locale)}
        isFirst={start === 0}
        isLast={start + DAYS_SHOWN >= days.length}
        onStep={(steps) => setFirst(Math.max(start + steps * DAYS_SHOWN, 0))}
      />
      {hasLater && start + DAYS_SHOWN >= days.length && (
        <p className="plain-text">Later times are not shown here yet. Phone us if you need one.</p>
      )}
      <div className="booking-days" role="group" aria-label="Day">
        {shown.map(({ day, times }) => (
          <button
            key={day}
            type="button"
            className="booking-day"
            aria-pressed={day === open?.day}
            disabled={times.length === 0}
            onClick={() => setPicked(day)}
          >
            <span>{ofDays.shortWeekday(noonOf(day))}</span>
            <strong>{ofDays.dayOfMonth(noonOf(day))}</strong>
            <small>{countWords(times.length)}</small>
          </button>
        ))}
      </div>
      {open && <h2 className="booking-heading">{ofDays.day(noonOf(open.day))}</h2>}
      {open && <Times times={open.times} {...{ locale, timeZone, chosen, onChoose }} />}
      <ZoneField timeZone={timeZone} practiceTimeZone={practiceTimeZone} onTimeZone={onTimeZone} />
    </>
  );
}

interface MonthProps {
  title: string;
  isFirst: boolean;
  isLast: boolean;
  onStep: (steps: number) => void;
}

const Month = ({ title, isFirst, isLast, onStep }: MonthProps) => (
  <div className="booking-month">
    <h2 className="booking-heading">{title}</h2>
    <button
      type="button"
      className="booking-step"
      aria-label="Earlier days"
      disabled={isFirst}
      onClick={() => onStep(-1)}
    >
      <IconChevronLeft size={20} stroke={1.7} aria-hidden />
    </button>
    <button type="button" className="booking-step" aria-label="Later days" disabled={isLast} onClick={() => onStep(1)}>
      <IconChevronRight size={20} stroke={1.7} aria-hidden />
    </button>
  </div>
);

type TimesProps = Pick<Props, "locale" | "timeZone" | "chosen" | "onChoose"> & { times: readonly string[] };

function Times({ times, locale, timeZone, chosen, onChoose }: TimesProps) {
  const { time } = zoneFormats(locale, timeZone);
  return (
    <div className="booking-times" role="group" aria-label="Time">
      {times.map((at) => (
        <button
          key={at}
          type="button"
          className="booking-time"
          aria-pressed={chosen.includes(at)}
          onClick={() => onChoose(at)}
        >
          {time(at)}
          {chosen.includes(at) && <IconCheck size={18} stroke={1.7} aria-hidden />}
        </button>
      ))}
    </div>
  );
}
