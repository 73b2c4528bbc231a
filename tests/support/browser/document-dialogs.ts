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
    dialog: "NewDocumentDialog",
    at: ofClient("documents"),
    opener: button("New document"),
    title: /^New document in /,
    typed: "sought",
  },
];
