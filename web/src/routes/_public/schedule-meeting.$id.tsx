import { createFileRoute, useLocation } from "@tanstack/react-router";
import { ScheduleMeetingPage } from "../../features/bookings/schedule-meeting-page.tsx";

export const Route = createFileRoute("/_public/schedule-meeting/$id")({
  component: RouteComponent,
});

function RouteComponent() {
  const { id } = Route.useParams();
  const { hash } = useLocation();
  return <ScheduleMeetingPage id={id} step={hash} />;
}
