import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  onBack: () => void;
  isSaving: boolean;
  isDisabled?: boolean;
  /** What the form does: "Add task". */
  children: ReactNode;
}

/** The last line of a form in a dialog: back, or on. */
export function FormFoot({ onBack, isSaving, isDisabled = false, children }: Props) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onBack}>
        Go back
      </Button>
      <Button type="submit" loading={isSaving} disabled={isDisabled}>
        {children}
      </Button>
    </Group>
  );
}
