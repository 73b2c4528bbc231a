import { createFileRoute } from "@tanstack/react-router";
import { PublicFormPage } from "../../features/submissions/public-form-page.tsx";

export const Route = createFileRoute("/_public/form/$id/$userId")({
  component: OpenedForm,
});

function OpenedForm() {
  const { id, userId } = Route.useParams();
  return <PublicFormPage key={`${id}/${userId}`} formId={id} userId={userId} />;
}
