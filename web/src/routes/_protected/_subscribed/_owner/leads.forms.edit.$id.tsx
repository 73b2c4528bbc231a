import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../../core/load.ts";
import { FormBuilderPage } from "../../../../features/forms/form-builder-page.tsx";
import { loadForm } from "../../../../features/forms/load-form.ts";

export const Route = createFileRoute("/_protected/_subscribed/_owner/leads/forms/edit/$id")({
  staticData: { frame: "focus" },
  loader: (context) => loadMeanwhile(context, loadForm(context.params.id)),
  component: RouteComponent,
});

function RouteComponent() {
  return <FormBuilderPage formId={Route.useParams().id} />;
}
