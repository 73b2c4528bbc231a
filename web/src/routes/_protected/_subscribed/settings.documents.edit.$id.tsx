import { createFileRoute } from "@tanstack/react-router";
import { DocumentEditorPage } from "../../../features/documents/document-editor-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/settings/documents/edit/$id")({
  component: DocumentEditorPage,
});
