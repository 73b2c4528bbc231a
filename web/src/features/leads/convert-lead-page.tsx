import { type Lead, leadName } from "@app/shared/leads";
import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useTitle } from "../../core/title.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { IntakeForm } from "../clients/intake-form.tsx";
import { caseFrom, clientFrom } from "./lead-record.ts";
import { LeadFlags } from "./lead-flags.tsx";
import type { LeadsSearch } from "./leads-search.ts";
import { useLeadChanged } from "./use-lead-steps.ts";
import "./leads.css";

interface Props {
  id: string;
  place: LeadsSearch;
}

/** The form that adds a client, filled in with what the lead told: the same checks, and the lead with them. */
export function ConvertLeadPage({ id, place }: Props) {
  useTitle("Convert to a case");
  // What is typed here goes by the lead as it was opened; a newer one is refused when it is sent.
  const lead = api.leads.get.useQuery({ id }, { refetchOnWindowFocus: false });
  const breadcrumb = <Anchor renderRoot={(props) => <Link to="/leads" search={place} {...props} />}>Leads</Anchor>;
  return (
    <>
      <PageHead
        title={lead.data ? `Convert ${lead.data.displayName} to a case` : "Convert to a case"}
        breadcrumb={breadcrumb}
        isTitleKeptOnPhone
      />
      <Loaded query={lead} failureTitle="The lead could not be read">
        {(data) => <Convert key={data.id} lead={data} place={place} />}
      </Loaded>
    </>
  );
}

function Convert({ lead, place }: { lead: Lead; place: LeadsSearch }) {
  const [opened] = useState(lead);
  const navigate = useNavigate();
  const changed = useLeadChanged();
  const convert = api.leads.convert.useMutation();
  const back = () => void navigate({ to: "/leads", search: { ...place, lead: lead.id } });
  if (lead.status !== "awaiting_p2" && !convert.isSuccess)
    return (
      <ErrorState
        title="This lead cannot become a case yet"
        message="It has to be “Awaiting P2” first. Move it there, then convert it."
        onRetry={back}
      />
    );
  return (
    <IntakeForm
      label="Client and case"
      initialClient={clientFrom(opened)}
      initialCase={(nothing) => caseFrom(opened, nothing)}
      isCaseRequired
      create={async (intake, changeId) => {
        const made = await convert.mutateAsync({ changeId, id: opened.id, version: opened.version, intake });
        return { id: made.clientId, caseId: made.caseId, displayName: made.displayName };
      }}
      onCreated={({ id, displayName }) => {
        notify(`${displayName} is a client now, and the case is open`);
        void navigate({ to: "/clients/view/$id", params: { id } });
        void changed();
      }}
      onCancel={back}
      submitLabel={() => "Convert to client and case"}
      side={<FromLead lead={lead} />}
    />
  );
}

/** What the form does not take over: how the other is reached is asked of them. */
function FromLead({ lead: { other, summary, flags } }: { lead: Lead }) {
  const facts = other
    ? [
        { label: "Other person", value: leadName({ ...other, organisation: "" }) || "Not named" },
        ...(other.email ? [{ label: "Email", value: other.email }] : []),
        ...(other.phone ? [{ label: "Phone", value: other.phone }] : []),
      ]
    : [];
  if (facts.length === 0 && summary === "" && flags.length === 0) return null;
  return (
    <Section title="From the lead">
      {flags.length > 0 && <LeadFlags flags={flags} />}
      {facts.length > 0 && <Facts facts={facts} labelWidth={96} />}
      {summary && <Said text={summary} />}
    </Section>
  );
}

/** More than that pushes what stands below out of sight. */
const SHOWN_LENGTH = 300;

const Said = ({ text }: { text: string }) =>
  text.length <= SHOWN_LENGTH ? (
    <p className="lead-summary">{text}</p>
  ) : (
    <details className="lead-folded">
      <summary>
        <span className="lead-folded-start">{text.slice(0, SHOWN_LENGTH).trim()} … </span>
        <b>All that they wrote</b>
      </summary>
      <p className="lead-summary">{text}</p>
    </details>
  );
