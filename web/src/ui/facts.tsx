import type { ReactNode } from "react";
import "./facts.css";

interface Props {
  facts: readonly { label: string; value: ReactNode }[];
  /** Width of the labels, px. */
  labelWidth?: number;
}

/** Labels and values in two columns. */
export function Facts({ facts, labelWidth = 108 }: Props) {
  return (
    <dl className="facts" style={{ gridTemplateColumns: `${labelWidth}px minmax(0, 1fr)` }}>
      {facts.map(({ label, value }) => (
        <div key={label} className="facts-row">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
