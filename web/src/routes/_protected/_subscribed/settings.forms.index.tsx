import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { loadMeanwhile } from "../../../core/load.ts";
import { FormsPage } from "../../../features/forms/forms-page.tsx";
import { formsInput, parseFormsSearch } from "../../../features/forms/forms-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/settings/forms/")({
  validateSearch: parseFormsSearch,
  loaderDeps: ({ search }) => formsInput(search),
  loader: (context) => loadMeanwhile(context, apiUtils.forms.list.ensureData(context.deps)),
  component: RouteComponent,
});

function RouteComponent() {
  return <FormsPage search={Route.useSearch()} />;
}
