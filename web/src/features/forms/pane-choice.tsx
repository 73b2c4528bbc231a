import { SegmentedControl } from "@mantine/core";
import { type Pane, useBuilderContext } from "./builder-context.ts";

const PANES: readonly { value: Pane; label: string }[] = [
  { value: "pages", label: "Pages" },
  { value: "questions", label: "Questions" },
  { value: "settings", label: "Settings" },
];

/** On a phone one part of the builder is seen at a time. */
export function PaneChoice() {
  const { pane, setPane } = useBuilderContext();
  return (
    <div className="builder-panes">
      <SegmentedControl fullWidth aria-label="Part of the builder" data={[...PANES]} value={pane} onChange={setPane} />
    </div>
  );
}
