import { createFileRoute } from "@tanstack/react-router";
import { SignPage } from "../../features/signatures/sign-page.tsx";

export const Route = createFileRoute("/_public/sign/$token")({
  component: RouteComponent,
});

function RouteComponent() {
  const { token } = Route.useParams();
  return <SignPage token={token} />;
}
