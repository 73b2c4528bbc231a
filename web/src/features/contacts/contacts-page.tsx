import { can } from "@app/shared/access";
import type { ContactRow } from "@app/shared/contacts";
import { PAGE_SIZE } from "@app/shared/product";
import { Button } from "@mantine/core";
import { IconDownload, IconFileImport, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { downloadOf } from "../../core/download.ts";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pager } from "../../ui/pager.tsx";
import { contactColumns, ContactPhoneRow, type ContactSort } from "./contact-columns.tsx";
import { ContactDialog } from "./contact-dialog.tsx";
import { ContactsBulkBar } from "./contacts-bulk-bar.tsx";
import { ContactsFilterBar } from "./contacts-filter-bar.tsx";
import { type ContactsSearch, exportAddress, toListInput, withoutDialog } from "./contacts-search.ts";
import { NoContacts } from "./no-contacts.tsx";
import "./contacts.css";

/** Everybody who belongs to cases without being a party. The open contact stands in the address. */
export function ContactsPage({ search }: { search: ContactsSearch }) {
  useTitle("Contacts");
  const user = useCurrentUser();
  const formats = useFormats();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = api.contacts.list.useQuery(toListInput(search), {
    placeholderData: keepPreviousData,
  });
  const list = withoutDialog(search);
  const show = (next: ContactsSearch) => {
    setSelected(new Set());
    void navigate({ to: "/contacts", search: next, replace: true });
  };
  const { page = 1, ...narrowing } = list;
  const sortBy = (by: ContactSort, isDescending: boolean) => {
    const { sort: _sort, descending: _descending, ...rest } = narrowing;
    show({ ...rest, ...(by === "name" ? {} : { sort: by }), ...(isDescending ? { descending: true } : {}) });
  };
  const open = (contact: ContactRow) => void navigate({ to: "/contacts", search: { ...list, open: contact.id } });
  const count = data && `${formats.number(data.total)}${data.isTotalExact ? "" : "+"}`;

  return (
    <>
      <PageHead title="Contacts" meta={count} actions={<ContactsActions search={list} />} />
      {selected.size > 0 ? (
        <ContactsBulkBar ids={[...selected]} status={list.status ?? "active"} onClear={() => setSelected(new Set())} />
      ) : (
        <ContactsFilterBar search={list} onChange={show} />
      )}
      <DataTable
        label="Contacts"
        columns={contactColumns(formats, list).filter(({ key }) => !list.hide?.includes(key))}
        rows={data?.items}
        rowKey={({ id }) => id}
        rowName={({ displayName }) => displayName}
        onOpen={open}
        sort={{ by: list.sort ?? "name", isDescending: list.descending ?? false, onChange: sortBy }}
        {...(can(user, "clients.write") ? { selection: { keys: selected, onChange: setSelected } } : {})}
        failure={listFailure({ data, error, refetch })}
        empty={<NoContacts search={list} onClear={() => show({})} />}
        phoneRow={(contact) => <ContactPhoneRow contact={contact} list={list} />}
      />
      {data && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          total={data.total}
          isTotalExact={data.isTotalExact}
          words={["contact", "contacts"]}
          onPage={(next) => show({ ...narrowing, ...(next > 1 ? { page: next } : {}) })}
        />
      )}
      {(search.open !== undefined || search.add) && <ContactDialog search={search} />}
    </>
  );
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

function ContactsActions({ search }: { search: ContactsSearch }) {
  const user = useCurrentUser();
  return (
    <>
      {can(user, "clients.write") && (
        <LinkButton
          to="/account"
          search={{ tab: "data", import: "contacts" }}
          variant="default"
          visibleFrom="sm"
          leftSection={<IconFileImport {...icon} />}
        >
          Import
        </LinkButton>
      )}
      {can(user, "data.export") && (
        <Button {...downloadOf(exportAddress(search))} variant="default" leftSection={<IconDownload {...icon} />}>
          Export CSV
        </Button>
      )}
      {can(user, "clients.write") && (
        <LinkButton to="/contacts" search={{ ...search, add: true }} leftSection={<IconPlus {...icon} />}>
          Add contact
        </LinkButton>
      )}
    </>
  );
}
