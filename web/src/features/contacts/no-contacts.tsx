import { can } from "@app/shared/access";
import { Button } from "@mantine/core";
import { IconAddressBook } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import type { ContactsSearch } from "./contacts-search.ts";

interface Props {
  search: ContactsSearch;
  onClear: () => void;
}

/** Why the list is empty, and what to do about it. */
export function NoContacts({ search, onClear }: Props) {
  const user = useCurrentUser();
  const icon = <IconAddressBook size={24} stroke={1.7} />;
  const showAll = (
    <Button variant="default" onClick={onClear}>
      Show all contacts
    </Button>
  );
  if (search.search || search.role || search.page) {
    return (
      <EmptyState icon={icon} title="No contact matches this" actions={showAll}>
        Check the spelling, or take a filter away. Every word has to begin a name, an organisation, an email address, a
        postcode, a reference or a phone number.
      </EmptyState>
    );
  }
  if (search.status === "archived") {
    return (
      <EmptyState icon={icon} title="The archive is empty" actions={showAll}>
        Contacts you archive are kept here, and can be brought back.
      </EmptyState>
    );
  }
  const add = (
    <LinkButton to="/contacts" search={{ add: true }}>
      Add your first contact
    </LinkButton>
  );
  return (
    <EmptyState icon={icon} title="No contacts yet" actions={can(user, "clients.write") ? add : undefined}>
      Solicitors, referrers, interpreters and experts are kept here: people who belong to a case without being a party
      to it.
    </EmptyState>
  );
}
