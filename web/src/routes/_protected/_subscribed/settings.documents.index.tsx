import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { loadMeanwhile } from "../../../core/load.ts";
import { DocumentsPage } from "../../../features/documents/documents-page.tsx";
import { parseDocumentsSearch, templatesInput } from "../../../features/documents/documents-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/settings/documents/")({
  validateSearch: parseDocumentsSearch,
  loaderDeps: ({ search }) => templatesInput(search),
  loader: (context) => loadMeanwhile(context, apiUtils.documentTemplates.list.ensureData(context.deps)),
  component: RouteComponent,
});

function RouteComponent() {
  return <DocumentsPage search={Route.useSearch()} />;
}
