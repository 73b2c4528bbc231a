import { createFileRoute } from "@tanstack/react-router";
import { requireUser } from "../core/guards.ts";
import { MainLayout } from "../features/shell/main-layout.tsx";

export const Route = createFileRoute("/_protected")({
  beforeLoad: ({ location }) => requireUser(location),
  component: MainLayout,
});
