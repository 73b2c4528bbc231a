import { TAKEN } from "@app/shared/booking-limits";
import { cityOf } from "@app/shared/zone-names";
import { FormFailure } from "../../ui/form-failure.tsx";
import { takeFocus } from "./take-focus.ts";
import { zoneFormats } from "./zone-formats.ts";

const OFFERED = 3;

interface Props {
  /** Why the time that they chose is not theirs. */
  failure: string;
  /** That time; null where it was something else. */
  taken: string | null;
  /** What is free by now; null while it is read. */
  slots: readonly string[] | null;
  locale: string;
  timeZone: string;
  onChoose: (startsAt: string) => void;
}

/** Somebody was faster: says so, with the free times that come next to take in its place. */
export function NextTimes({ failure, taken, slots, locale, timeZone, onChoose }: Props) {
  const { day, time } = zoneFormats(locale, timeZone);
  const isTaken = taken !== null && failure.startsWith(TAKEN);
  const next = !isTaken ? [] : (slots ?? []).filter((at) => at > taken).slice(0, OFFERED);
  return (
    <div key={failure} ref={takeFocus} tabIndex={-1}>
      <FormFailure>{isTaken ? `${TAKEN} Please choose another one.` : failure}</FormFailure>
      {next.length > 0 && (
        <div className="booking-next" role="group" aria-label="The next free times">
          <p className="plain-text">The next free times, in {cityOf(timeZone)} time:</p>
          {next.map((at) => (
            <button key={at} type="button" className="booking-time" onClick={() => onChoose(at)}>
              {day(at)}, {time(at)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
