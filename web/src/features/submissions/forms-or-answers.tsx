import type { ReactNode } from "react";
import { AnswersPage } from "./answers-page.tsx";
import type { AnswersSearch } from "./answers-search.ts";

/** The answers of the form that the address names, or else all forms. */
export function FormsOrAnswers({ search, children }: { search: AnswersSearch; children: ReactNode }) {
  const { answers } = search;
  return answers ? <AnswersPage search={{ ...search, answers }} /> : children;
}
