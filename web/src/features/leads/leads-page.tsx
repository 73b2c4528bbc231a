import { IconInbox } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function LeadsPage() {
  return (
    <EmptyPage
      title="Leads"
      icon={<IconInbox size={24} stroke={1.7} />}
      missing="No enquiries yet"
      actions={<LinkButton to="/clients/create">Add a client</LinkButton>}
    >
      <p>Enquiries from your website will arrive here as leads, with their next step, until they become clients.</p>
      <p>This version has no enquiry form. Somebody who rings can be added as a client at once.</p>
    </EmptyPage>
  );
}
