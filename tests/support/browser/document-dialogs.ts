// The dialogs of templates and documents.
import { at, button, type DialogRow, ofClient } from "./dialog-places.ts";

const TEMPLATES = at("/settings/documents");

export const DOCUMENT_DIALOGS: readonly DialogRow[] = [
  {
    dialog: "NewTemplateDialog",
    at: TEMPLATES,
    opener: (page) => page.getByRole("link", { name: "New template" }),
    title: "New template",
    typed: "asked",
  },
  {
    dialog: "RenameTemplateDialog",
    at: TEMPLATES,
    opener: button("More for Fee letter"),
    item: "Rename",
    title: "Rename template",
    typed: "asked",
  },
  {
    dialog: "WordDialog",
    at: ({ sample }) => `/settings/documents/edit/${sample.textId}`,
    opener: button("Word"),
    item: "Replace with a Word document",
    title: "Replace with a Word document",
    typed: "nothing",
  },
  {
    dialog: "NewDocumentDialog",
    at: ofClient("documents"),
    opener: button("New document"),
    title: /^New document in /,
    typed: "sought",
  },
];
