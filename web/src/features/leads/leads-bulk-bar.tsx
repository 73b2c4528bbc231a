import { Button } from "@mantine/core";
import type { Selected } from "../../core/list-page.tsx";
import { BulkBar } from "../../ui/bulk-bar.tsx";
import { useSpam } from "./use-spam.ts";

interface Props extends Selected {
  /** What is listed is spam. */
  isSpam: boolean;
}

/** Stands in for the filter bar while rows are selected. */
export function LeadsBulkBar({ ids, onClear, isSpam }: Props) {
  const { mark, isBusy } = useSpam();
  return (
    <BulkBar label="Selected leads" count={ids.length} onClear={onClear}>
      <Button variant="default" size="xs" loading={isBusy} onClick={() => void mark(ids, !isSpam).then(onClear)}>
        {isSpam ? "These are no spam" : "These are spam"}
      </Button>
    </BulkBar>
  );
}
