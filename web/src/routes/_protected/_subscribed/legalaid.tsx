import { createFileRoute } from "@tanstack/react-router";
import { LegalAidPage } from "../../../features/legalaid/legal-aid-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/legalaid")({
  component: LegalAidPage,
});
