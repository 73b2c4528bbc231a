import type { SessionOutcome } from "@app/shared/session-outcomes";
import { SESSION_OUTCOME_NAMES } from "@app/shared/session-states";
import { Button } from "@mantine/core";
import { notify } from "../../core/notify.ts";
import { Section } from "../../ui/section.tsx";
import { Amendments } from "./amendments.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { HeldTime, Unmet } from "./held-sections.tsx";
import { NextSteps } from "./next-steps.tsx";
import { Proposals } from "./proposals.tsx";
import "./cockpit-work.css";

/** What comes of it: proposals, next steps, the outcome and what was corrected later. */
export function CockpitWork() {
  return (
    <aside className="cockpit-pane cockpit-work" aria-label="Proposals and next steps">
      <Proposals />
      <NextSteps />
      <HeldTime />
      <Unmet />
      <Outcome />
      <Amendments />
      <CalledOff />
    </aside>
  );
}

function Outcome() {
  const { session, isOpen } = useCockpit();
  if (!session.outcome && session.status !== "ended") return null;
  return (
    <Section title="Outcome">
      <p className="cockpit-outcome">
        {session.outcome ? SESSION_OUTCOME_NAMES[session.outcome.code] : "Not recorded yet"}
        {session.status !== "in_progress" && <span className="quiet-text tabular"> {session.minutes} min</span>}
      </p>
      {session.outcome?.text && <p className="cockpit-outcome-text">{session.outcome.text}</p>}
      {isOpen && session.outcome && <TakeOff outcome={session.outcome} />}
    </Section>
  );
}

/** One that was chosen by mistake goes, and comes back where that was the mistake. */
function TakeOff({ outcome }: { outcome: SessionOutcome }) {
  const { change } = useCockpit();
  const replace = (before: SessionOutcome | null, after: SessionOutcome | null) =>
    change({
      apply: (session) => ({ ...session, outcome: after }),
      call: (sessions, id) => sessions.update.mutate({ ...id, outcome: after, outcomeBefore: before }),
    });
  async function takeOff() {
    if (!(await replace(outcome, null))) return;
    notify("The outcome was taken off.", { label: "Undo", onAct: () => void replace(null, outcome) });
  }
  return (
    <Button variant="subtle" size="xs" mt="xs" onClick={() => void takeOff()}>
      Take the outcome off
    </Button>
  );
}

/** Why it was called off after it was started, or struck after it was locked. */
function CalledOff() {
  const { session } = useCockpit();
  if (session.cancelReason === "") return null;
  return (
    <Section title={session.status === "struck" ? "Struck" : "Not held"}>
      <p className="cockpit-outcome-text">{session.cancelReason}</p>
    </Section>
  );
}
