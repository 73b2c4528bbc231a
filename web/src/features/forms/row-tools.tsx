import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";

interface Props {
  /** What the row is about, as its buttons say it. */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;
const quiet = { variant: "subtle", color: "gray" } as const;

/** Moves a row of a list in the inspector, or takes it out. */
export const RowTools = ({ name, isFirst, isLast, onMove, onRemove }: Props) => (
  <>
    <ActionIcon {...quiet} aria-label={`Move ${name} up`} disabled={isFirst} onClick={() => onMove(-1)}>
      <IconArrowUp {...icon} />
    </ActionIcon>
    <ActionIcon {...quiet} aria-label={`Move ${name} down`} disabled={isLast} onClick={() => onMove(1)}>
      <IconArrowDown {...icon} />
    </ActionIcon>
    <ActionIcon {...quiet} aria-label={`Take ${name} out`} onClick={onRemove}>
      <IconTrash {...icon} />
    </ActionIcon>
  </>
);
