import { createFileRoute, Outlet } from "@tanstack/react-router";
import { requireOwner } from "../../../core/guards.ts";

export const Route = createFileRoute("/_protected/_subscribed/_owner")({
  beforeLoad: ({ location }) => requireOwner(location),
  component: Outlet,
});
