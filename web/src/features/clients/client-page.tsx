import { sideOf } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { Anchor, NativeSelect, Tabs } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { api } from "../../core/api.ts";
import { useTitle } from "../../core/title.ts";
import { Chip } from "../../ui/chip.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { TabList } from "../../ui/tab-list.tsx";
import { CaseStatusMark } from "../cases/case-status.tsx";
import { ClientActions } from "./client-actions.tsx";
import { ClientEditor } from "./client-editor.tsx";
import { ClientPanels } from "./client-panels.tsx";
import { ClientTabContent } from "./client-tab-content.tsx";
import type { ClientSearch } from "./client-search.ts";
import { CLIENT_TAB_NAMES, CLIENT_TABS, type ClientTab } from "./client-tabs.ts";
import "./clients.css";

interface Props {
  clientId: string;
  search: ClientSearch;
}

export function ClientPage({ clientId, search }: Props) {
  const [client] = api.clients.get.useSuspenseQuery({ id: clientId });
  const [{ items: cases }] = api.cases.ofClient.useSuspenseQuery({ id: clientId });
  const navigate = useNavigate();
  useTitle(client.displayName);
  const theCase = cases.find(({ id }) => id === search.case) ?? cases[0] ?? null;
  const show = (next: ClientSearch) =>
    void navigate({ to: "/clients/view/$id", params: { id: clientId }, search: next, replace: true });
  const tab = CLIENT_TABS.find((known) => known === search.tab) ?? "overview";
  const chosen = search.case ? { case: search.case } : {};
  const openTab = (name: ClientTab) => show({ ...chosen, ...(name === "overview" ? {} : { tab: name }) });
  const breadcrumb = (
    <>
      <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>
      <span>{client.displayName}</span>
    </>
  );
  return (
    <>
      <PageHead
        title={<ClientTitle client={client} theCase={theCase} />}
        meta={<ClientMeta client={client} theCase={theCase} />}
        breadcrumb={breadcrumb}
        actions={search.edit ? undefined : <ClientActions client={client} theCase={theCase} />}
        isTitleKeptOnPhone
      />
      {search.edit ? (
        <ClientEditor key={clientId} client={client} onLeave={() => show(chosen)} />
      ) : (
        <>
          <ClientPanels client={client} cases={cases} theCase={theCase} onOpenCase={() => openTab("case")} />
          {cases.length > 1 && theCase && (
            <CasePicker
              cases={cases}
              theCase={theCase}
              onChange={(id) => show({ ...(search.tab ? { tab: search.tab } : {}), case: id })}
            />
          )}
          <ClientTabs
            tab={tab}
            client={client}
            cases={cases}
            theCase={theCase}
            search={search}
            onSearch={show}
            onTab={openTab}
          />
        </>
      )}
    </>
  );
}

interface CasePickerProps {
  cases: readonly Case[];
  theCase: Case;
  onChange: (caseId: string) => void;
}

/** Chooses which of a client's cases the page shows. */
function CasePicker({ cases, theCase, onChange }: CasePickerProps) {
  return (
    <NativeSelect
      aria-label="Case shown"
      w={260}
      mt="sm"
      value={theCase.id}
      data={cases.map(({ id, caseRef, matter }) => ({ value: id, label: `${caseRef} ${matter}`.trim() }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ClientTabs(props: ComponentProps<typeof ClientTabContent>) {
  const { tab, theCase, onTab } = props;
  // Only in a family case the participants disclose their finances to each other.
  const tabs = CLIENT_TABS.filter((name) => name !== "finances" || theCase?.domain === "family");
  return (
    <Tabs
      value={tab}
      onChange={(name) => onTab(CLIENT_TABS.find((known) => known === name) ?? "overview")}
      keepMounted={false}
      className="client-tabs"
    >
      <TabList label="Parts of this client" active={tab}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {CLIENT_TAB_NAMES[name]}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value={tab}>
        <ClientTabContent {...props} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ClientTitle({ client, theCase }: { client: Client; theCase: Case | null }) {
  const own = theCase?.parties.find(({ clientId }) => clientId === client.id);
  return (
    <>
      {own && (
        <>
          <PartyMarker label={own.label} isLarge />{" "}
        </>
      )}
      {client.displayName}
    </>
  );
}

/** With whom, in which case, and how it stands. */
function ClientMeta({ client, theCase }: { client: Client; theCase: Case | null }) {
  const own = theCase?.parties.find(({ clientId }) => clientId === client.id);
  const others = theCase?.parties.filter((party) => party !== own) ?? [];
  return (
    <span className="client-meta">
      {client.knownAs && <span>known as {client.knownAs}</span>}
      {others.map((party) => (
        <span key={party.partyId} className="nowrap">
          {own && sideOf(own) === sideOf(party) ? "beside" : "with"}{" "}
          <TextLink to="/clients/view/$id" params={{ id: party.clientId }} inherit>
            {party.name}
          </TextLink>{" "}
          <PartyMarker label={party.label} />
        </span>
      ))}
      {theCase && (
        <>
          <span>{theCase.caseRef}</span>
          <CaseStatusMark status={theCase.status} outcome={theCase.outcome} />
        </>
      )}
      {client.status === "archived" && <Chip>Archived</Chip>}
    </span>
  );
}
