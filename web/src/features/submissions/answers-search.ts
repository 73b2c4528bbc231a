import { flagOf, pageSearch, textsOf } from "../../core/search.ts";

export interface AnswersSearch {
  /** The form whose answers are shown. */
  answers?: string;
  status?: string;
  from?: string;
  until?: string;
  /** Those that look like spam. */
  spam?: true;
  /** What is open in the dialog. */
  open?: string;
  /** The first that was sent in stands first. */
  oldest?: true;
  page?: number;
}

export const parseAnswersSearch = (search: Record<string, unknown>): AnswersSearch => ({
  ...textsOf(search, ["answers", "status", "from", "until", "open"]),
  ...flagOf(search, "spam"),
  ...flagOf(search, "oldest"),
  ...pageSearch(search),
});
