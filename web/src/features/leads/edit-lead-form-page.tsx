import { IconInbox } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function EditLeadFormPage() {
  return (
    <EmptyPage
      title="Enquiry form"
      icon={<IconInbox size={24} stroke={1.7} />}
      missing="This enquiry form is not here"
      actions={<LinkButton to="/leads">Open leads</LinkButton>}
    >
      <p>It may have been deleted, or the address is not complete.</p>
    </EmptyPage>
  );
}
