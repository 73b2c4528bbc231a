import { useCockpit } from "./cockpit-context.ts";
import { OutcomeDialog } from "./outcome-dialog.tsx";

export function EndDialog() {
  const { session, change, show } = useCockpit();
  const steps = session.nextSteps.filter(({ taskId }) => taskId === null).length;

  function end() {
    void change({
      apply: (before) => ({ ...before, status: "ended", endedAt: new Date().toISOString() }),
      call: (sessions, id) => sessions.move.mutate({ ...id, to: "ended" }),
    });
    show(null);
  }

  return (
    <OutcomeDialog title={`End session ${session.number}`} action="End session" onDone={end}>
      <p className="cockpit-hint">
        The clock stops.{" "}
        {steps > 0 && `${steps === 1 ? "1 next step becomes a task" : `${steps} next steps become tasks`}. `}
        You can still write and correct until you lock the session.
      </p>
    </OutcomeDialog>
  );
}
