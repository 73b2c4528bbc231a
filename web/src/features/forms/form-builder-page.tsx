import { IconForms } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function FormBuilderPage() {
  useTitle("Form builder");
  return (
    <>
      <PageHead title="Form builder" />
      <EmptyState
        icon={<IconForms size={24} stroke={1.7} />}
        title="This questionnaire is not here"
        actions={<LinkButton to="/settings/forms">Open forms</LinkButton>}
      >
        <p>The builder opens on a questionnaire of your practice. There is none at this address.</p>
      </EmptyState>
    </>
  );
}
