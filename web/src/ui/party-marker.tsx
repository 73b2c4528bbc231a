import "./party-marker.css";

interface Props {
  /** P1, P2, ... or Us for the practice. */
  label: string;
  isLarge?: boolean;
}

/** Who somebody is in a case: told by shape and word, not by colour alone. */
export function PartyMarker({ label, isLarge = false }: Props) {
  const shape = label === "P1" || label === "P2" ? label.toLowerCase() : label === "Us" ? "us" : "more";
  const name = label === "Us" ? "The practice" : `Party ${label.slice(1)}`;
  return (
    <span className="party-marker" data-shape={shape} data-large={isLarge || undefined} role="img" aria-label={name}>
      {label}
    </span>
  );
}
