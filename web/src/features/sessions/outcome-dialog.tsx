import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { OutcomeFields, useOutcome } from "./outcome-fields.tsx";

interface Props {
  title: string;
  action: string;
  /** What comes after the outcome was noted. */
  onDone?: () => void;
  children?: ReactNode;
}

/** Asks how the session ended, and notes it. */
export function OutcomeDialog({ title, action, onDone, children }: Props) {
  const { session, change, show } = useCockpit();
  const outcome = useOutcome(session);
  function save() {
    const { value } = outcome;
    if (!value) return;
    void change({
      apply: (before) => ({ ...before, outcome: value }),
      call: (sessions, id) => sessions.update.mutate({ ...id, outcome: value, outcomeBefore: session.outcome }),
    });
    onDone?.();
  }
  const footer = (
    <>
      <BackButton />
      <Button disabled={!outcome.value} onClick={save}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={() => show(null)} title={title} footer={footer} isDirty={outcome.isDirty}>
      <OutcomeFields outcome={outcome} />
      {children}
    </Dialog>
  );
}
