import { can } from "@app/shared/access";
import type { ClientCase } from "@app/shared/cases";
import type { ClientRow } from "@app/shared/clients";
import { PAGE_SIZE } from "@app/shared/product";
import { Button } from "@mantine/core";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { downloadOf } from "../../core/download.ts";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pager } from "../../ui/pager.tsx";
import { CASE_COLUMNS, clientColumns, ClientPhoneRow, type ClientSort } from "./client-columns.tsx";
import { ClientsBulkBar } from "./clients-bulk-bar.tsx";
import { ClientsFilterBar } from "./clients-filter-bar.tsx";
import { type ClientsSearch, exportAddress, toListInput } from "./clients-search.ts";
import { NoClients } from "./no-clients.tsx";
import "./clients.css";

export function ClientsPage({ search }: { search: ClientsSearch }) {
  useTitle("Clients");
  const user = useCurrentUser();
  const formats = useFormats();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = api.clients.list.useQuery(toListInput(search), {
    placeholderData: keepPreviousData,
  });

  const cases = useCasesOf(data?.items ?? []);
  const shown = new Set<string>(["name", ...CASE_COLUMNS, ...(search.show ?? [])]);
  for (const key of search.hide ?? []) shown.delete(key);

  const show = (next: ClientsSearch) => {
    setSelected(new Set());
    void navigate({ to: "/clients", search: next, replace: true });
  };
  const { page = 1, ...narrowing } = search;
  const sortBy = (by: ClientSort, isDescending: boolean) => {
    const { sort: _sort, descending: _descending, ...rest } = narrowing;
    show({ ...rest, ...(by === "name" ? {} : { sort: by }), ...(isDescending ? { descending: true } : {}) });
  };
  const open = (client: ClientRow) => void navigate({ to: "/clients/view/$id", params: { id: client.id } });
  const count = data && `${formats.number(data.total)}${data.isTotalExact ? "" : "+"}`;

  return (
    <>
      <PageHead title="Clients" meta={count} actions={<ClientsActions search={search} />} />
      {selected.size > 0 ? (
        <ClientsBulkBar ids={[...selected]} status={search.status ?? "active"} onClear={() => setSelected(new Set())} />
      ) : (
        <ClientsFilterBar search={search} onChange={show} />
      )}
      <DataTable
        label="Clients"
        columns={clientColumns(formats, cases).filter(({ key }) => shown.has(key))}
        rows={data?.items}
        rowKey={(client) => client.id}
        rowName={(client) => client.displayName}
        onOpen={open}
        sort={{ by: search.sort ?? "name", isDescending: search.descending ?? false, onChange: sortBy }}
        {...(can(user, "clients.write") ? { selection: { keys: selected, onChange: setSelected } } : {})}
        failure={listFailure({ data, error, refetch })}
        empty={<NoClients search={search} onClear={() => show({})} />}
        phoneRow={(client) => <ClientPhoneRow client={client} own={cases.get(client.id)} formats={formats} />}
      />
      {data && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          total={data.total}
          isTotalExact={data.isTotalExact}
          words={["client", "clients"]}
          onPage={(next) => show({ ...narrowing, ...(next > 1 ? { page: next } : {}) })}
        />
      )}
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
      {can(user, "data.export") && (
        <Button
          {...downloadOf(exportAddress(search))}
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} />}
        >
          Export CSV
        </Button>
      )}
      {can(user, "clients.write") && (
        <Button
          renderRoot={(props) => <Link to="/clients/create" {...props} />}
          leftSection={<IconPlus size={16} stroke={1.7} />}
        >
          Add client
        </Button>
      )}
    </>
  );
}
