import { createFileRoute } from "@tanstack/react-router";
import { PublicFormPage } from "../../features/forms/public-form-page.tsx";

export const Route = createFileRoute("/_public/form/$id/$userId")({
  component: PublicFormPage,
});
