import { createFileRoute } from "@tanstack/react-router";
import { PublicFormPage } from "../../features/submissions/public-form-page.tsx";

export const Route = createFileRoute("/_public/lead-form/$formId/$userId")({
  component: OpenedLeadForm,
});

function OpenedLeadForm() {
  const { formId, userId } = Route.useParams();
  return <PublicFormPage key={`${formId}/${userId}`} formId={formId} userId={userId} />;
}
