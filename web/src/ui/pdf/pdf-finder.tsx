import { ActionIcon, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";
import type { PdfFind } from "./use-pdf-find.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;
const TEXT_MAX = 100;

/** Enter goes to the next place, with Shift to the one before, Escape ends it. */
export function PdfFinder({ find, onClose }: { find: PdfFind; onClose: () => void }) {
  const { text, found } = find;
  return (
    <search className="pdf-finder">
      <TextInput
        size="xs"
        autoFocus
        aria-label="Find in this PDF"
        // The dialog around it stays.
        data-mantine-stop-propagation="true"
        placeholder="Find in this PDF"
        maxLength={TEXT_MAX}
        value={text}
        onChange={({ currentTarget }) => find.setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onClose();
        }}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Previous match"
        disabled={found.length === 0}
        onClick={() => find.step(-1)}
      >
        <IconChevronUp {...icon} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Next match"
        disabled={found.length === 0}
        onClick={() => find.step(1)}
      >
        <IconChevronDown {...icon} />
      </ActionIcon>
      <span role="status" className="tabular">
        {wordsOf(find)}
      </span>
      <ActionIcon variant="subtle" color="gray" aria-label="Close the search" onClick={onClose}>
        <IconX {...icon} />
      </ActionIcon>
    </search>
  );
}

function wordsOf({ text, found, at, isReading }: PdfFind): string {
  if (text.trim() === "") return "";
  if (found.length > 0) return `${at + 1} of ${found.length}${isReading ? " so far" : ""}`;
  return isReading ? "Searching" : "No matches";
}
