import { mayReport, NO_REPORT } from "@app/shared/disclosures";
import { SESSION_ATTENDANCE_NAMES, PROPOSAL_STATUS_NAMES, SESSION_OUTCOME_NAMES } from "@app/shared/session-states";
import { Tabs } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { useCockpit } from "./cockpit-context.ts";

const COURT = "court";

/** What would leave this session for each party, and for a court: read from the server as they would get it. */
export function PartiesSeeDialog() {
  const { theCase, show } = useCockpit();
  return (
    <Dialog isOpen onClose={() => show(null)} title="What each party sees" size="form">
      <Tabs defaultValue={theCase.parties[0]?.partyId ?? COURT}>
        <Tabs.List>
          {theCase.parties.map(({ partyId, label, name }) => (
            <Tabs.Tab key={partyId} value={partyId} leftSection={<PartyMarker label={label} />}>
              {name}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value={COURT}>A court</Tabs.Tab>
        </Tabs.List>
        {theCase.parties.map(({ partyId }) => (
          <Tabs.Panel key={partyId} value={partyId}>
            <PartyView partyId={partyId} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value={COURT}>
          <CourtView />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

function PartyView({ partyId }: { partyId: string }) {
  const { session } = useCockpit();
  const formats = useFormats();
  const query = api.sessions.partySummary.useQuery({ id: session.id, partyId }, { staleTime: 0 });
  return (
    <Loaded query={query} failureTitle="This view could not be read">
      {({ notes, cut, proposals, nextSteps, attendance }) => (
        <div className="cockpit-view">
          <p className="quiet-text">
            {attendance
              ? `Attendance: ${SESSION_ATTENDANCE_NAMES[attendance].toLowerCase()}.`
              : "Attendance: not recorded."}{" "}
            Everything else in this session is kept from them.
          </p>
          <Section title="Shared notes" count={notes.length} order={3}>
            {notes.map(({ at, text }) => (
              <p key={at} className="cockpit-view-text">
                {text}
              </p>
            ))}
            {cut.map((words) => (
              <p key={words} className="quiet-text">
                {words}
              </p>
            ))}
          </Section>
          <Section title="Proposals they know of" count={proposals.length} order={3}>
            {proposals.map(({ issue, text, status, by, at }) => (
              <p key={at} className="cockpit-view-text">
                <strong>{issue}</strong>: {text} ({by}, {formats.time(at)},{" "}
                {PROPOSAL_STATUS_NAMES[status].toLowerCase()})
              </p>
            ))}
          </Section>
          <Section title="Their next steps" count={nextSteps.length} order={3}>
            {nextSteps.map(({ text, dueOn }) => (
              <p key={text} className="cockpit-view-text">
                {text}
                {dueOn && `, until ${formats.calendarDay(dueOn)}`}
              </p>
            ))}
          </Section>
        </div>
      )}
    </Loaded>
  );
}

function CourtView() {
  const { session, theCase } = useCockpit();
  const held = { heldOn: "", endedAt: session.endedAt ?? session.startedAt };
  return mayReport(theCase, held) ? <CourtReport sessionId={session.id} /> : <p className="quiet-text">{NO_REPORT}</p>;
}

function CourtReport({ sessionId }: { sessionId: string }) {
  const formats = useFormats();
  const query = api.sessions.courtReport.useQuery({ id: sessionId }, { staleTime: 0 });
  return (
    <Loaded query={query} failureTitle="This view could not be read">
      {({ tookPlaceAt, minutes, attendance, outcome, amendedAt }) => (
        <div className="cockpit-view">
          <p className="quiet-text">
            All consented, a court ordered it, or a law requires it: this is what may be told.
          </p>
          <Facts
            facts={[
              { label: "Took place", value: tookPlaceAt ? formats.dateTime(tookPlaceAt) : "No" },
              { label: "Length", value: `${minutes} min` },
              {
                label: "Attendance",
                value:
                  attendance
                    .map(({ name, state }) => `${name}: ${SESSION_ATTENDANCE_NAMES[state].toLowerCase()}`)
                    .join("; ") || "Not recorded",
              },
              { label: "Outcome", value: outcome ? SESSION_OUTCOME_NAMES[outcome] : "Not recorded" },
              ...(amendedAt
                ? [
                    {
                      label: "Amended",
                      value: `The record was amended after it was locked, last ${formats.dateTime(amendedAt)}`,
                    },
                  ]
                : []),
            ]}
          />
        </div>
      )}
    </Loaded>
  );
}
