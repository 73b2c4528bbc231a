import { pageSearch } from "../../core/search.ts";

export const CLIENT_TABS = [
  "overview",
  "case",
  "meetings",
  "notes",
  "messages",
  "files",
  "forms",
  "documents",
  "payments",
  "history",
] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

export const CLIENT_TAB_NAMES = {
  overview: "Overview",
  case: "Case",
  meetings: "Meetings & sessions",
  notes: "Notes",
  messages: "Messages",
  files: "Files",
  forms: "Forms",
  documents: "Documents",
  payments: "Payments",
  history: "History",
} as const satisfies Record<ClientTab, string>;

export interface ClientSearch {
  tab?: ClientTab;
  /** Which of the client's cases is shown; the newest where it is left out. */
  case?: string;
  edit?: true;
  page?: number;
  /** A dialog that a link may open. */
  open?: string;
}

export function clientSearch(search: Record<string, unknown>): ClientSearch {
  const tab = CLIENT_TABS.find((name) => name === search["tab"] && name !== "overview");
  const { case: caseId, open } = search;
  return {
    ...(tab ? { tab } : {}),
    ...(typeof caseId === "string" && caseId !== "" ? { case: caseId } : {}),
    ...(typeof open === "string" && open !== "" ? { open } : {}),
    ...(search["edit"] === true ? { edit: true } : {}),
    ...pageSearch(search),
  };
}
