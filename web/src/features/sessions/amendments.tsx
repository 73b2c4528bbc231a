import { SESSION_ATTENDANCE_NAMES, NOT_ASKED_NAME, SESSION_OUTCOME_NAMES } from "@app/shared/session-states";
import type { Amendment } from "@app/shared/session-amendments";
import { useFormats } from "../../core/format.ts";
import { Section } from "../../ui/section.tsx";
import { partyOf, useCockpit } from "./cockpit-context.ts";

/** What was corrected after the lock, with what was recorded before. */
export function Amendments() {
  const { session } = useCockpit();
  const formats = useFormats();
  if (session.amendments.length === 0) return null;
  return (
    <Section title="Amendments" count={session.amendments.length}>
      <ul className="rows">
        {session.amendments.map((amendment) => (
          <li key={`${amendment.at}${amendment.text}`} className="cockpit-amendment">
            <span>{amendment.text}</span>
            <Corrections amendment={amendment} />
            <span className="quiet-text">
              {amendment.byName}, {formats.dateTime(amendment.at)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Corrections({ amendment: { attendance, times, outcome, mediators } }: { amendment: Amendment }) {
  const { theCase } = useCockpit();
  const formats = useFormats();
  const span = ({ startedAt, endedAt }: { startedAt: string | null; endedAt: string | null }) =>
    startedAt && endedAt ? `${formats.dateTime(startedAt)} to ${formats.time(endedAt)}` : "nothing";
  const named = (one: NonNullable<typeof outcome>["from"]) =>
    one ? `“${SESSION_OUTCOME_NAMES[one.code]}”${one.text && `, ${one.text}`}` : "nothing";
  return (
    <>
      {times && (
        <span>
          Took place {span(times.to)}. Was recorded as {span(times.from)}.
        </span>
      )}
      {attendance.map(({ partyId, from, to }) => (
        <span key={partyId}>
          {partyOf(theCase, partyId)?.label}: {to === null ? NOT_ASKED_NAME : SESSION_ATTENDANCE_NAMES[to]}. Was
          recorded as {from === null ? "nothing" : `“${SESSION_ATTENDANCE_NAMES[from]}”`}.
        </span>
      ))}
      {mediators && (
        <span>
          Held by {mediators.to.join(", ")}. Was recorded as held by {mediators.from.join(", ") || "nobody"}.
        </span>
      )}
      {outcome && (
        <span>
          Outcome: {SESSION_OUTCOME_NAMES[outcome.to.code]}. Was recorded as {named(outcome.from)}.
        </span>
      )}
    </>
  );
}
