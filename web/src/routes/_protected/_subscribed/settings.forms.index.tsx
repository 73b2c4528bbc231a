import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { loadMeanwhile } from "../../../core/load.ts";
import { FormsPage } from "../../../features/forms/forms-page.tsx";
import { formsInput, type FormsSearch, parseFormsSearch } from "../../../features/forms/forms-search.ts";
import { type AnswersSearch, parseAnswersSearch } from "../../../features/submissions/answers-search.ts";
import { FormsOrAnswers } from "../../../features/submissions/forms-or-answers.tsx";

/** The list of forms, or the answers of one: each reads of the address what is its own. */
type Search = Omit<FormsSearch, "status"> & AnswersSearch;

export const Route = createFileRoute("/_protected/_subscribed/settings/forms/")({
  validateSearch: (raw: Record<string, unknown>): Search => ({ ...parseFormsSearch(raw), ...parseAnswersSearch(raw) }),
  loaderDeps: ({ search }) => formsInput(parseFormsSearch({ ...search })),
  loader: (context) => loadMeanwhile(context, apiUtils.forms.list.ensureData(context.deps)),
  component: RouteComponent,
});

function RouteComponent() {
  const search = Route.useSearch();
  return (
    <FormsOrAnswers search={search}>
      <FormsPage search={parseFormsSearch({ ...search })} />
    </FormsOrAnswers>
  );
}
