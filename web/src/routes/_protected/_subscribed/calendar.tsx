import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { CalendarPage } from "../../../features/meetings/calendar-page.tsx";
import { calendarSearch } from "../../../features/meetings/calendar-search.ts";
import { BookingLinksView } from "../../../features/meetings/booking-links-view.tsx";
import { loadCalendar } from "../../../features/meetings/load-calendar.ts";

export const Route = createFileRoute("/_protected/_subscribed/calendar")({
  validateSearch: calendarSearch,
  loaderDeps: ({ search: { view, day, mediator } }) => ({ view, day, mediator }),
  loader: (context) => loadMeanwhile(context, loadCalendar(context.deps)),
  component: RouteComponent,
});

function RouteComponent() {
  const search = Route.useSearch();
  return search.view === "links" ? <BookingLinksView search={search} /> : <CalendarPage search={search} />;
}
