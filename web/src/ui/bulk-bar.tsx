import { Button, Checkbox } from "@mantine/core";
import type { ReactNode } from "react";
import "./bulk-bar.css";

interface Props {
  /** What is selected: "Selected clients". */
  label: string;
  count: number;
  onClear: () => void;
  /** What can be done with all of it. */
  children: ReactNode;
}

/** Stands there while rows are selected. */
export function BulkBar({ label, count, onClear, children }: Props) {
  return (
    <div className="bulk-bar" role="toolbar" aria-label={label}>
      <Checkbox checked indeterminate aria-label="Select none" onChange={onClear} />
      <strong>{count} selected</strong>
      {children}
      <Button variant="subtle" size="xs" className="bulk-bar-end" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
