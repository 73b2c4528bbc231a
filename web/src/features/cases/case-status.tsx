import { type CaseStatus, caseStatusName } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { StatusPie } from "../../ui/status-pie.tsx";
import "./cases.css";

const PARTS: Record<CaseStatus, number> = {
  enquiry: 0,
  intake: 0.14,
  awaiting_second_party: 0.28,
  assessing: 0.42,
  ready: 0.56,
  in_mediation: 0.75,
  paused: 0.75,
  concluded: 1,
  closed: 1,
  not_proceeding: 0.99,
  terminated: 0.99,
};

const kindOf = (status: CaseStatus) => {
  if (status === "paused") return "paused" as const;
  return status === "not_proceeding" || status === "terminated" ? ("ended" as const) : ("part" as const);
};

/** The state of a case: a pie that fills, and always the word. */
export function CaseStatusMark({ status, outcome }: { status: CaseStatus; outcome?: Case["outcome"] }) {
  return (
    <span className="case-status">
      <StatusPie part={PARTS[status]} kind={kindOf(status)} />
      {caseStatusName({ status, outcome })}
    </span>
  );
}
