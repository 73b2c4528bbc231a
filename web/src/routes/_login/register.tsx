import { createFileRoute } from "@tanstack/react-router";
import { requireVisitor } from "../../core/guards.ts";
import { tokenSearch } from "../../core/search.ts";
import { readBegunRegistration } from "../../features/auth/begun-registration.ts";
import { RegisterPage } from "../../features/auth/register-page.tsx";

export const Route = createFileRoute("/_login/register")({
  validateSearch: tokenSearch,
  beforeLoad: requireVisitor,
  loaderDeps: ({ search }) => ({ token: search.token }),
  loader: ({ deps }) => readBegunRegistration(deps.token),
  component: RouteComponent,
});

function RouteComponent() {
  return <RegisterPage token={Route.useSearch().token} begun={Route.useLoaderData()} />;
}
