import { createFileRoute } from "@tanstack/react-router";
import { requireVisitor } from "../../core/guards.ts";
import { RegisterPage } from "../../features/auth/register-page.tsx";

export const Route = createFileRoute("/_login/register")({
  beforeLoad: requireVisitor,
  component: RouteComponent,
});

function RouteComponent() {
  return <RegisterPage />;
}
