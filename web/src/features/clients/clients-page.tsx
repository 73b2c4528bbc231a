import { can } from "@app/shared/access";
import type { ClientCase } from "@app/shared/case-rows";
import type { ClientRow } from "@app/shared/clients";
import { IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { ExportButton, ListPage, useListPlace } from "../../core/list-page.tsx";
import { exportAddress, listInput } from "../../core/list-search.ts";
import { useCurrentUser } from "../../core/session.ts";
import { LinkButton } from "../../ui/links.tsx";
import { CASE_COLUMNS, clientColumns, ClientPhoneRow } from "./client-columns.tsx";
import { RemovedCases } from "../safeguarding/removed-cases.tsx";
import { ClientsBulkBar } from "./clients-bulk-bar.tsx";
import { ClientsFilterBar } from "./clients-filter-bar.tsx";
import { type ClientsSearch, parseClientsSearch } from "./clients-search.ts";
import { NoClients } from "./no-clients.tsx";
import "./clients.css";

export function ClientsPage({ search }: { search: ClientsSearch }) {
  const user = useCurrentUser();
  const formats = useFormats();
  const navigate = useNavigate();
  const place = useListPlace({
    search,
    parse: parseClientsSearch,
    onChange: (next) => void navigate({ to: "/clients", search: next, replace: true }),
  });
  const query = api.clients.list.useQuery(listInput(search), { placeholderData: keepPreviousData });
  const cases = useCasesOf(query.data?.items ?? []);
  const shown = new Set<string>(["name", ...CASE_COLUMNS, ...(search.show ?? [])]);
  for (const key of search.hide ?? []) shown.delete(key);
  return (
    <>
      <ListPage
        title="Clients"
        words={["client", "clients"]}
        place={place}
        query={query}
        sortedBy={search.sort ?? "name"}
        columns={clientColumns(formats, cases).filter(({ key }) => shown.has(key))}
        onOpen={({ id }) => void navigate({ to: "/clients/view/$id", params: { id } })}
        phoneRow={(client) => <ClientPhoneRow client={client} own={cases.get(client.id)} formats={formats} />}
        empty={<NoClients search={search} onClear={place.clear} />}
        actions={<ClientsActions search={search} />}
        filterBar={<ClientsFilterBar place={place} />}
        bulkBar={can(user, "clients.write") ? (selected) => <ClientsBulkBar {...selected} /> : undefined}
      />
      {can(user, "safeguarding.read") && <RemovedCases />}
    </>
  );
}

/** The case of each client on this page; the list does not wait for them. */
function useCasesOf(clients: readonly ClientRow[]): ReadonlyMap<string, ClientCase> {
  const clientIds = clients.map(({ id }) => id);
  const found = api.tasks.nextOfClients.useQuery({ clientIds }, { enabled: clientIds.length > 0 });
  return new Map(found.data?.items.map((own) => [own.clientId, own]));
}

function ClientsActions({ search }: { search: ClientsSearch }) {
  const user = useCurrentUser();
  return (
    <>
      <ExportButton address={exportAddress("/export/clients.csv", search)} />
      {can(user, "clients.write") && (
        <LinkButton to="/clients/create" leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}>
          Add client
        </LinkButton>
      )}
    </>
  );
}
