import { Button, Group } from "@mantine/core";
import { type ReactNode, useContext } from "react";
import { useCloseDialog } from "./dialog.tsx";
import { askToLeave, isAnyUnsaved, UnsavedScope } from "./unsaved.ts";

interface BackProps {
  /** Where it leads back to within the dialog; closes the dialog where left out. */
  onBack?: (() => void) | undefined;
  children?: string;
}

/** Back without doing what is offered; asks first where something was typed. */
export function BackButton({ onBack, children = "Go back" }: BackProps) {
  const close = useCloseDialog();
  const scope = useContext(UnsavedScope);
  const leave = () => {
    if (!onBack) close();
    else if (!isAnyUnsaved(scope, false) || askToLeave()) onBack();
  };
  return (
    <Button variant="default" onClick={leave}>
      {children}
    </Button>
  );
}

interface Props extends Pick<BackProps, "onBack"> {
  isSaving: boolean;
  isDisabled?: boolean;
  isDestructive?: boolean;
  /** Stays in sight while a long form is scrolled. */
  isSticky?: boolean;
  /** How far somebody has come, beside the buttons. */
  progress?: string;
  /** What the form does: "Add task". */
  children: ReactNode;
}

/** The last line of a form in a dialog: back, or on. */
export function FormFoot({ onBack, isSaving, isDisabled = false, isDestructive = false, ...props }: Props) {
  const { isSticky = false, progress, children } = props;
  return (
    <Group justify="flex-end" className={isSticky ? "dialog-sticky-foot" : undefined}>
      {progress && <span className="dialog-progress">{progress}</span>}
      <BackButton onBack={onBack} />
      <Button type="submit" {...(isDestructive ? { color: "red" } : {})} loading={isSaving} disabled={isDisabled}>
        {children}
      </Button>
    </Group>
  );
}
