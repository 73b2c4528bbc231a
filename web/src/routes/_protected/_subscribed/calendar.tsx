import { createFileRoute } from "@tanstack/react-router";
import { CalendarPage } from "../../../features/meetings/calendar-page.tsx";
import { calendarSearch } from "../../../features/meetings/calendar-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/calendar")({
  validateSearch: calendarSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <CalendarPage search={Route.useSearch()} />;
}
