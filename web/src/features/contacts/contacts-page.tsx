import { can } from "@app/shared/access";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { ExportButton, ListPage, useListPlace } from "../../core/list-page.tsx";
import { exportAddress, listInput } from "../../core/list-search.ts";
import { useCurrentUser } from "../../core/session.ts";
import { LinkButton } from "../../ui/links.tsx";
import { contactColumns, ContactPhoneRow } from "./contact-columns.tsx";
import { ContactDialog } from "./contact-dialog.tsx";
import { ContactsBulkBar } from "./contacts-bulk-bar.tsx";
import { ContactsFilterBar } from "./contacts-filter-bar.tsx";
import { type ContactsListSearch, type ContactsSearch, parseContactsSearch, withoutDialog } from "./contacts-search.ts";
import { NoContacts } from "./no-contacts.tsx";
import "./contacts.css";

/** Everybody who belongs to cases without being a party. The open contact stands in the address. */
export function ContactsPage({ search }: { search: ContactsSearch }) {
  const user = useCurrentUser();
  const formats = useFormats();
  const navigate = useNavigate();
  const list = withoutDialog(search);
  const place = useListPlace<ContactsListSearch>({
    search: list,
    parse: parseContactsSearch,
    onChange: (next) => void navigate({ to: "/contacts", search: next, replace: true }),
  });
  const query = api.contacts.list.useQuery(listInput(list), { placeholderData: keepPreviousData });
  return (
    <>
      <ListPage
        title="Contacts"
        words={["contact", "contacts"]}
        place={place}
        query={query}
        sortedBy={list.sort ?? "name"}
        columns={contactColumns(formats, list).filter(({ key }) => !list.hide?.includes(key))}
        onOpen={({ id }) => void navigate({ to: "/contacts", search: { ...list, open: id } })}
        phoneRow={(contact) => <ContactPhoneRow contact={contact} list={list} />}
        empty={<NoContacts search={list} onClear={place.clear} />}
        actions={<ContactsActions list={list} />}
        filterBar={<ContactsFilterBar place={place} />}
        bulkBar={can(user, "clients.write") ? (selected) => <ContactsBulkBar {...selected} /> : undefined}
      />
      {(search.open !== undefined || search.add) && <ContactDialog search={search} />}
    </>
  );
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

function ContactsActions({ list }: { list: ContactsListSearch }) {
  const user = useCurrentUser();
  const mayWrite = can(user, "clients.write");
  return (
    <>
      {mayWrite && (
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
      <ExportButton address={exportAddress("/export/contacts.csv", list)} />
      {mayWrite && (
        <LinkButton to="/contacts" search={{ ...list, add: true }} leftSection={<IconPlus {...icon} />}>
          Add contact
        </LinkButton>
      )}
    </>
  );
}
