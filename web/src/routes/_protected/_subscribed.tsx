import { createFileRoute, Outlet } from "@tanstack/react-router";
import { requireAccess } from "../../core/guards.ts";

export const Route = createFileRoute("/_protected/_subscribed")({
  beforeLoad: ({ location }) => requireAccess(location),
  component: Outlet,
});
