import { createFileRoute } from "@tanstack/react-router";
import { ContactsPage } from "../../../features/contacts/contacts-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/contacts")({
  component: ContactsPage,
});
