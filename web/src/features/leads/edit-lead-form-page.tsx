import { IconInbox } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function EditLeadFormPage() {
  useTitle("Enquiry form");
  return (
    <>
      <PageHead title="Enquiry form" />
      <EmptyState
        icon={<IconInbox size={24} stroke={1.7} />}
        title="This enquiry form is not here"
        actions={<LinkButton to="/leads">Open leads</LinkButton>}
      >
        <p>It may have been deleted, or the address is not complete.</p>
      </EmptyState>
    </>
  );
}
