import { Button } from "@mantine/core";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { OutcomeFields, useOutcome } from "./outcome-fields.tsx";

export function EndDialog() {
  const { session, change, show } = useCockpit();
  const outcome = useOutcome(session);
  const steps = session.nextSteps.filter(({ taskId }) => taskId === null).length;

  function end() {
    const { value } = outcome;
    if (!value) return;
    void change({
      apply: (before) => ({ ...before, outcome: value }),
      call: (sessions, id) => sessions.update.mutate({ ...id, outcome: value }),
    });
    void change({
      apply: (before) => ({ ...before, status: "ended", endedAt: new Date().toISOString() }),
      call: (sessions, id) => sessions.move.mutate({ ...id, to: "ended" }),
    });
    show(null);
  }

  const footer = (
    <>
      <BackButton />
      <Button disabled={!outcome.value} onClick={end}>
        End session
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={() => show(null)}
      title={`End session ${session.number}`}
      footer={footer}
      isDirty={outcome.isDirty}
    >
      <OutcomeFields outcome={outcome} />
      <p className="cockpit-hint">
        The clock stops.{" "}
        {steps > 0 && `${steps === 1 ? "1 next step becomes a task" : `${steps} next steps become tasks`}. `}
        You can still write and correct until you lock the session.
      </p>
    </Dialog>
  );
}
