import { createFileRoute } from "@tanstack/react-router";
import { tokenSearch } from "../../core/search.ts";
import { ResetPasswordPage } from "../../features/auth/reset-password-page.tsx";

export const Route = createFileRoute("/_login/resetpassword")({
  validateSearch: tokenSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <ResetPasswordPage token={Route.useSearch().token} />;
}
