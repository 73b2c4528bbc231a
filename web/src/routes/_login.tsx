import { createFileRoute } from "@tanstack/react-router";
import { LoginLayout } from "../features/shell/login-layout.tsx";

export const Route = createFileRoute("/_login")({
  component: LoginLayout,
});
