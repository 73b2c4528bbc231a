import { can } from "@app/shared/access";
import { awaitedIn, ENDED_BEFORE_RECORDED, takesSessions, whoIsLeftOut, whyNotBegin } from "@app/shared/case-sessions";
import type { Case } from "@app/shared/cases";
import { SESSION_OUTCOME_NAMES, SESSION_STATUS_NAMES } from "@app/shared/session-states";
import type { SessionRow } from "@app/shared/sessions";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { TextLink } from "../../ui/links.tsx";
import { StartButtons } from "./start-buttons.tsx";
import { Section } from "../../ui/section.tsx";

/** The sessions of a case, and the way into the next one. */
export function CaseSessions({ theCase }: { theCase: Case }) {
  const user = useCurrentUser();
  const query = api.sessions.ofCase.useQuery({ id: theCase.id });
  const mayStart = can(user, "clients.write") && takesSessions(theCase.status);
  const partyIds = awaitedIn(theCase, null).map(({ partyId }) => partyId);
  const why = whyNotBegin(theCase, { type: null, partyIds });
  const leftOut = whoIsLeftOut(theCase);
  return (
    <Section
      title="Sessions"
      count={query.data?.items.length}
      action={mayStart && <StartButtons theCase={theCase} canBegin={why === null} />}
    >
      {!takesSessions(theCase.status) && can(user, "clients.write") && (
        <p className="quiet-text">{ENDED_BEFORE_RECORDED}</p>
      )}
      {mayStart && why !== null && <p className="quiet-text">{why} A session can be prepared already.</p>}
      {mayStart && why === null && leftOut !== null && <p className="quiet-text">{leftOut}</p>}
      <Loaded query={query} failureTitle="The sessions could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">
              {takesSessions(theCase.status)
                ? "No session yet. Prepare the agenda and the safety reviews before, and start when the parties are there."
                : "No session was held in this case."}
            </p>
          ) : (
            <ul className="rows">
              {items.map((session) => (
                <SessionListRow key={session.id} session={session} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function SessionListRow({ session }: { session: SessionRow }) {
  const formats = useFormats();
  const isOver = session.status === "ended" || session.status === "locked";
  return (
    <li>
      <TextLink to="/sessions/$id" params={{ id: session.id }} fw={500} fz="inherit">
        Session {session.number}
      </TextLink>
      <Chip tone={session.status === "in_progress" ? "agreed" : "outline"}>{SESSION_STATUS_NAMES[session.status]}</Chip>
      <span className="quiet-text tabular nowrap">{formats.day(session.startedAt ?? session.createdAt)}</span>
      {isOver && <span className="quiet-text tabular nowrap">{session.minutes} min</span>}
      {session.outcome && <span className="quiet-text">{SESSION_OUTCOME_NAMES[session.outcome.code]}</span>}
      {isOver && session.isUnfinished && <Chip tone="late">Attendance or outcome missing</Chip>}
    </li>
  );
}
