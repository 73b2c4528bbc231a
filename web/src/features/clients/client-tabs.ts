export const CLIENT_TABS = [
  "overview",
  "case",
  "meetings",
  "notes",
  "messages",
  "files",
  "forms",
  "documents",
  "finances",
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
  finances: "Finances",
  payments: "Payments",
  history: "History",
} as const satisfies Record<ClientTab, string>;
