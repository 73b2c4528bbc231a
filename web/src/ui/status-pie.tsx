interface Props {
  /** From 0 to 1; a full pie carries a tick. */
  part: number;
  kind?: "part" | "paused" | "ended";
}

const SIZE = 14;
const RADIUS = 5.5;
const CENTRE = SIZE / 2;

/** How far something has come, in 14 px; the word stands beside it. */
export function StatusPie({ part, kind = "part" }: Props) {
  return (
    <svg width={SIZE} height={SIZE} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden className="status-pie" fill="none">
      <circle
        cx={CENTRE}
        cy={CENTRE}
        r={RADIUS}
        stroke="var(--primary-text)"
        strokeWidth={1.5}
        {...(part === 0 ? { strokeDasharray: "2 2" } : {})}
        {...(part >= 1 && kind === "part" ? { fill: "var(--primary-text)" } : {})}
      />
      {kind === "paused" && <path d="M5.5 4.5v5M8.5 4.5v5" stroke="var(--primary-text)" strokeWidth={1.5} />}
      {kind === "ended" && <path d="M5 5l4 4M9 5l-4 4" stroke="var(--primary-text)" strokeWidth={1.5} />}
      {kind === "part" && part > 0 && part < 1 && <path d={slice(part)} fill="var(--primary-text)" />}
      {kind === "part" && part >= 1 && <path d="M4.5 7.2l1.8 1.8 3.2-3.6" stroke="var(--page)" strokeWidth={1.5} />}
    </svg>
  );
}

function slice(part: number): string {
  const angle = 2 * Math.PI * part;
  const x = CENTRE + RADIUS * Math.sin(angle);
  const y = CENTRE - RADIUS * Math.cos(angle);
  return `M${CENTRE} ${CENTRE}V${CENTRE - RADIUS}A${RADIUS} ${RADIUS} 0 ${part > 0.5 ? 1 : 0} 1 ${x} ${y}Z`;
}
