import { createFileRoute } from "@tanstack/react-router";
import { CreateClientPage } from "../../../features/clients/create-client-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/clients/create")({
  component: CreateClientPage,
});
