import { CASE_STATUS_NAMES } from "@app/shared/case-states";
import type { Board } from "@app/shared/board";
import type { CaseRow } from "@app/shared/case-rows";
import { TextLink } from "../../ui/links.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { CaseStatusMark } from "../cases/case-status.tsx";
import { daysSince } from "../cases/case-waiting.ts";
import "./case-board.css";

const LONG_DAYS = 5;

/** The cases by state: who holds each up, and for how long. */
export function CaseBoard({ board }: { board: Board }) {
  const { first, second, practice } = board.waiting;
  const legend = (
    <span className="board-legend">
      <PartyMarker label="P1" /> waiting for P1, {first}
      <PartyMarker label="P2" /> waiting for P2, {second}
      <PartyMarker label="Us" /> waiting for us, {practice}
    </span>
  );
  return (
    <Section title="Cases" count={board.total} action={legend}>
      <div className="board">
        {board.columns.map(({ status, count, cases }) => (
          <section
            key={status}
            className="board-column"
            aria-label={CASE_STATUS_NAMES[status]}
            data-empty={count === 0 || undefined}
          >
            <div className="board-head">
              <CaseStatusMark status={status} />
              <span>{count}</span>
            </div>
            <ul>
              {cases.map((theCase) => (
                <Card key={theCase.id} theCase={theCase} />
              ))}
            </ul>
            {count > cases.length && <div className="board-more">{count - cases.length} more</div>}
          </section>
        ))}
      </div>
    </Section>
  );
}

function Card({ theCase }: { theCase: CaseRow }) {
  const [first] = theCase.parties;
  const days = daysSince(theCase.waitingSince);
  const isWaiting = theCase.waitingFor !== "nobody";
  return (
    <li className="board-card">
      <TextLink
        to="/clients/view/$id"
        params={{ id: first?.clientId ?? "" }}
        search={{ tab: "case", case: theCase.id }}
        title={theCase.parties.map(({ name }) => name).join(" and ")}
      >
        {first?.name ?? theCase.caseRef}
      </TextLink>
      {isWaiting ? <PartyMarker label={theCase.waitingLabel || "Us"} /> : <span aria-label="Waits for nobody">–</span>}
      <span className="board-ref">{theCase.caseRef.slice(-4)}</span>
      <span className="board-days" data-long={(isWaiting && days >= LONG_DAYS) || undefined}>
        {isWaiting ? daysOf(days) : "nothing due"}
      </span>
    </li>
  );
}

const daysOf = (days: number): string => {
  if (days < 1) return "today";
  return days === 1 ? "1 day" : `${days} days`;
};
