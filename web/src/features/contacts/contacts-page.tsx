import { IconAddressBook } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function ContactsPage() {
  useTitle("Contacts");
  return (
    <>
      <PageHead title="Contacts" />
      <EmptyState
        icon={<IconAddressBook size={24} stroke={1.7} />}
        title="No contacts are kept yet"
        actions={<LinkButton to="/clients">Open clients</LinkButton>}
      >
        <p>
          Solicitors, referrers, interpreters and experts have their place here: people who are not a party themselves.
        </p>
        <p>
          This version cannot add them. Until it can, write a solicitor or interpreter under “Needs” on the client’s
          page.
        </p>
      </EmptyState>
    </>
  );
}
