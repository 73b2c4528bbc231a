import { cityOf, zoneName } from "@app/shared/zone-names";
import { IconWorld } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { ownTimeZone, timeZones } from "./zone-formats.ts";

interface Props {
  timeZone: string;
  practiceTimeZone: string;
  onTimeZone: (timeZone: string) => void;
}

/** In whose time the page is, and the way to another one. */
export function ZoneField({ timeZone, practiceTimeZone, onTimeZone }: Props) {
  const own = ownTimeZone();
  const [sought, setSought] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  // To name four hundred zones takes an old phone a while.
  const named = useMemo(
    () => (isOpen ? namedZones(timeZone, own, practiceTimeZone) : []),
    [isOpen, timeZone, own, practiceTimeZone],
  );
  const found = named.filter(({ words }) => words.includes(sought.trim().toLowerCase()));
  const shown = found.some(({ zone }) => zone === timeZone)
    ? found
    : [...named.filter(({ zone }) => zone === timeZone), ...found];
  return (
    <div className="booking-zone">
      <IconWorld size={18} stroke={1.7} aria-hidden />
      <div>
        Times are in {cityOf(timeZone)} time ({timeZone}).{" "}
        {own === timeZone ? "Your device is set to the same zone." : `Your device is set to ${own}.`}
        <details className="booking-zone-change" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>Change the time zone</summary>
          <label className="booking-zone-choice">
            <span>Search for a city</span>
            <input
              className="booking-input"
              value={sought}
              autoComplete="off"
              onChange={(event) => setSought(event.currentTarget.value)}
            />
          </label>
          <p role="status" className="booking-limit">
            {sought.trim() === "" ? "" : foundWords(found.length)}
          </p>
          <label className="booking-zone-choice">
            <span>Time zone</span>
            <select value={timeZone} onChange={(event) => onTimeZone(event.currentTarget.value)}>
              {shown.map(({ zone, name }) => (
                <option key={zone} value={zone}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </details>
      </div>
    </div>
  );
}

const foundWords = (count: number): string => {
  if (count === 0) return "No zone has this name. Try the largest city near you.";
  return count === 1 ? "1 zone found: choose it below." : `${count} zones found: choose one below.`;
};

interface NamedZone {
  zone: string;
  name: string;
  /** What it is found by. */
  words: string;
}

function namedZones(...known: string[]): NamedZone[] {
  const at = new Date();
  return timeZones(...known)
    .map((zone) => ({ zone, name: zoneName(zone, at), words: "" }))
    .map((one) => ({ ...one, words: `${one.name} ${one.zone.replace(/_/g, " ")}`.toLowerCase() }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}
