import { IconForms } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function FormsPage() {
  return (
    <EmptyPage
      title="Forms"
      icon={<IconForms size={24} stroke={1.7} />}
      missing="No questionnaires yet"
      actions={<LinkButton to="/clients">Open clients</LinkButton>}
    >
      <p>
        Questionnaires that your clients fill in on their own device will be built and sent from here, and their answers
        arrive on the client’s page.
      </p>
      <p>This version cannot build them. Write what a client tells you on their page.</p>
    </EmptyPage>
  );
}
