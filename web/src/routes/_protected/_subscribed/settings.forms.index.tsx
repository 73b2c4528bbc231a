import { createFileRoute } from "@tanstack/react-router";
import { FormsPage } from "../../../features/forms/forms-page.tsx";
import { parseAnswersSearch } from "../../../features/submissions/answers-search.ts";
import { FormsOrAnswers } from "../../../features/submissions/forms-or-answers.tsx";

export const Route = createFileRoute("/_protected/_subscribed/settings/forms/")({
  validateSearch: parseAnswersSearch,
  component: Forms,
});

function Forms() {
  return (
    <FormsOrAnswers search={Route.useSearch()}>
      <FormsPage />
    </FormsOrAnswers>
  );
}
