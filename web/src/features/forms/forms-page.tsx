import { IconForms } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function FormsPage() {
  useTitle("Forms");
  return (
    <>
      <PageHead title="Forms" />
      <EmptyState
        icon={<IconForms size={24} stroke={1.7} />}
        title="No questionnaires yet"
        actions={<LinkButton to="/clients">Open clients</LinkButton>}
      >
        <p>
          Questionnaires that your clients fill in on their own device will be built and sent from here, and their
          answers arrive on the client’s page.
        </p>
        <p>This version cannot build them. Write what a client tells you on their page.</p>
      </EmptyState>
    </>
  );
}
