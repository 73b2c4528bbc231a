import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { IconEyeOff } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { emailFact } from "../people/email-fact.tsx";
import { CaseTracks } from "../casework/case-tracks.tsx";
import { CertificateSection } from "../certificates/certificate-section.tsx";
import { LatestEvents } from "../timeline/latest-events.tsx";
import { TaskSection } from "../tasks/task-section.tsx";
import type { ClientTab } from "./client-tabs.ts";

const NONE = "None recorded";

interface Props {
  client: Client;
  cases: readonly Case[];
  theCase: Case | null;
  onTab: (tab: ClientTab) => void;
}

export function ClientOverviewTab({ client, cases, theCase, onTab }: Props) {
  const user = useCurrentUser();
  const mayChange = can(user, "clients.write");
  const own = theCase?.parties.find(({ clientId }) => clientId === client.id);
  const side = (
    <>
      {theCase && own && <CertificateSection theCase={theCase} partyId={own.partyId} mayChange={mayChange} />}
      <Section title={`${client.kind === "organisation" ? client.organisation : client.firstName}’s details`}>
        <Facts
          facts={[
            ...contactFacts(client),
            ...(client.kind === "organisation" ? [] : personFacts(client)),
            { label: "Needs", value: client.needs || NONE },
          ]}
          labelWidth={92}
        />
      </Section>
      <TaskSection clientId={client.id} caseId={theCase?.id ?? null} mayChange={mayChange} />
      <Record client={client} />
    </>
  );
  return (
    <PageGrid side={side}>
      {theCase && (
        <Section title="Participants" action={<span className="quiet-text">Each sees only their own track</span>}>
          <CaseTracks theCase={theCase} mayChange={mayChange} />
        </Section>
      )}
      <LatestEvents clientId={client.id} cases={cases} onAll={() => onTab("history")} />
    </PageGrid>
  );
}

function personFacts(client: Client) {
  return [
    ...(client.title ? [{ label: "Title", value: client.title }] : []),
    ...(client.knownAs ? [{ label: "Known as", value: client.knownAs }] : []),
    { label: "Born", value: client.dateOfBirth ? <BirthDay day={client.dateOfBirth} /> : NONE },
  ];
}

function BirthDay({ day }: { day: string }) {
  const formats = useFormats();
  return <span className="tabular">{formats.calendarDay(day)}</span>;
}

function contactFacts({ email, phones, address, isAddressConfidential }: Client) {
  const lines = [...address.lines, address.postcode, address.country].filter(Boolean);
  return [
    emailFact(email, NONE),
    ...phones.map((phone) => ({
      label: { mobile: "Mobile", home: "Home phone", work: "Work phone" }[phone.type],
      value: (
        <span className="tabular">
          {phone.number}
          {phone.isPreferred && phones.length > 1 && <> · use first</>}
        </span>
      ),
    })),
    {
      label: "Address",
      value: (
        <>
          {isAddressConfidential && (
            <div>
              <Chip tone="safety" icon={<IconEyeOff size={14} stroke={1.7} aria-hidden />}>
                Kept from the other participant
              </Chip>
            </div>
          )}
          {lines.length > 0 ? lines.join(", ") : NONE}
        </>
      ),
    },
  ];
}

function Record({ client }: { client: Client }) {
  const formats = useFormats();
  const mayLead = can(useCurrentUser(), "leads.manage");
  const lead = api.leads.ofClient.useQuery({ id: client.id }, { enabled: mayLead }).data?.lead;
  return (
    <Section title="Record">
      <Facts
        facts={[
          { label: "Added", value: <span className="tabular">{formats.dateTime(client.createdAt)}</span> },
          { label: "Changed", value: <span className="tabular">{formats.dateTime(client.updatedAt)}</span> },
          { label: "Changed by", value: client.updatedByName },
          ...(lead
            ? [
                {
                  label: "Enquiry",
                  value: (
                    <TextLink to="/leads" search={{ lead: lead.id }}>
                      Came in on {formats.day(lead.createdAt)}
                    </TextLink>
                  ),
                },
              ]
            : []),
          {
            label: "Tags",
            value: client.tags.length > 0 ? client.tags.map((tag) => <Chip key={tag}>{tag}</Chip>) : NONE,
          },
        ]}
        labelWidth={92}
      />
    </Section>
  );
}
