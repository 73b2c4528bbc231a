import { createRootRoute, lazyRouteComponent, Outlet } from "@tanstack/react-router";

export const Route = createRootRoute({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import("../features/shell/not-found-page.tsx"), "NotFoundPage"),
});
