import type { ReactNode } from "react";
import "./chip.css";

interface Props {
  /** "late" is solid ink; "safety" and "danger" need an icon; "agreed" is teal. */
  tone?: "plain" | "outline" | "late" | "agreed" | "safety" | "danger" | "p1" | "p2";
  icon?: ReactNode;
  children: ReactNode;
}

/** A short fact about a thing. At most one amber and one solid chip in a row of a table. */
export function Chip({ tone = "plain", icon, children }: Props) {
  return (
    <span className="chip" data-tone={tone}>
      {icon}
      {tone === "late" && <span className="visually-hidden">Late, </span>}
      {children}
    </span>
  );
}
