import { flagOf, pageSearch, textsOf } from "../../core/search.ts";

export interface ClientSearch {
  /** One of the tabs; the overview where it is left out. */
  tab?: string;
  /** Which of the client's cases is shown; the newest where it is left out. */
  case?: string;
  edit?: true;
  page?: number;
  /** A dialog that a link may open. */
  open?: string;
}

export const clientSearch = (search: Record<string, unknown>): ClientSearch => ({
  ...textsOf(search, ["tab", "case", "open"]),
  ...flagOf(search, "edit"),
  ...pageSearch(search),
});
