import { IconInbox } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function CreateLeadFormPage() {
  useTitle("New enquiry form");
  return (
    <>
      <PageHead title="New enquiry form" />
      <EmptyState
        icon={<IconInbox size={24} stroke={1.7} />}
        title="Enquiry forms cannot be made yet"
        actions={<LinkButton to="/leads">Open leads</LinkButton>}
      >
        <p>A form for your website will be put together here; what people send with it becomes a lead.</p>
      </EmptyState>
    </>
  );
}
