import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

/** Beside the title of a section: adds one to what it shows. */
export function AddButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  );
}
