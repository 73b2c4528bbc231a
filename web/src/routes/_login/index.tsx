import { createFileRoute } from "@tanstack/react-router";
import { requireVisitor } from "../../core/guards.ts";
import { signInSearch } from "../../core/search.ts";
import { SignInPage } from "../../features/auth/sign-in-page.tsx";

export const Route = createFileRoute("/_login/")({
  validateSearch: signInSearch,
  beforeLoad: requireVisitor,
  component: RouteComponent,
});

function RouteComponent() {
  return <SignInPage redirect={Route.useSearch().redirect} />;
}
