import { type Lead } from "@app/shared/leads";
import { isReachedByEmail } from "@app/shared/lead-reaches";
import { TextLink } from "../../ui/links.tsx";
import { useFormats } from "../../core/format.ts";
import type { LeadsSearch } from "./leads-search.ts";

const STATES: Record<Lead["letters"][number]["state"], string> = {
  queued: "waits to leave",
  sending: "waits to leave",
  sent: "sent",
  uncertain: "perhaps sent: ask whether it came",
  failed: "not sent",
  cancelled: "not sent",
  superseded: "not sent",
  bounced: "came back",
};

/** The mails that were written to somebody from here, as their records say, and the way to write the next. */
export function LeadLetters({ lead, place }: { lead: Lead; place: LeadsSearch }) {
  const formats = useFormats();
  const isMailable = lead.email !== "" && isReachedByEmail(lead);
  if (!isMailable && lead.letters.length === 0) return null;
  return (
    <div className="lead-letters">
      {isMailable && (
        <TextLink to="/leads" search={{ ...place, lead: lead.id, step: "write" }}>
          Write an email
        </TextLink>
      )}
      {lead.letters.length > 0 && (
        <ul className="lead-twins">
          {lead.letters.toReversed().map(({ id, at, byName, state }) => (
            <li key={id}>
              Email of {formats.dateTime(at)}, {byName}: {STATES[state]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
