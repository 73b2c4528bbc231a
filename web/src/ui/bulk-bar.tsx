import { Button, Checkbox } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { focused, focusHeading, isFocusLost } from "./focus.ts";
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
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = bar.current;
    // It goes with what was pressed in it: the keyboard goes on at the top of the list.
    return () => {
      if (place?.contains(focused())) setTimeout(() => isFocusLost() && focusHeading());
    };
  }, []);
  return (
    <div ref={bar} className="bulk-bar" role="toolbar" aria-label={label}>
      <Checkbox checked indeterminate aria-label="Select none" onChange={onClear} />
      <strong>{count} selected</strong>
      {children}
      <Button variant="subtle" size="xs" className="bulk-bar-end" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
