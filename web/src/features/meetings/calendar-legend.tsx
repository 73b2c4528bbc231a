import { IconShield } from "@tabler/icons-react";

const TYPES = ["Assessment", "Mediation", "Child-inclusive", "Call, other", "Supervision", "Pre-meeting"];

/** What the colours and lines of the calendar mean. */
export function CalendarLegend() {
  return (
    <ul className="calendar-legend" aria-label="What the colours mean">
      {TYPES.map((name, index) => (
        <li key={name}>
          <span className="calendar-swatch" style={{ background: `var(--chart-${index + 1})` }} aria-hidden />
          {name}
        </li>
      ))}
      <li>
        <span className="calendar-swatch" data-dashed aria-hidden />
        Proposed
      </li>
      <li>
        <IconShield size={14} stroke={1.7} aria-hidden color="var(--safety-text)" />
        Safety measures
      </li>
    </ul>
  );
}
