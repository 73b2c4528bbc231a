import { createFileRoute } from "@tanstack/react-router";
import { DocumentsPage } from "../../../features/documents/documents-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/settings/documents/")({
  component: DocumentsPage,
});
