import { IconInbox } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function LeadsPage() {
  useTitle("Leads");
  return (
    <>
      <PageHead title="Leads" />
      <EmptyState
        icon={<IconInbox size={24} stroke={1.7} />}
        title="No enquiries yet"
        actions={<LinkButton to="/clients/create">Add a client</LinkButton>}
      >
        <p>Enquiries from your website will arrive here as leads, with their next step, until they become clients.</p>
        <p>This version has no enquiry form. Somebody who rings can be added as a client at once.</p>
      </EmptyState>
    </>
  );
}
