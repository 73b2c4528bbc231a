import { createFileRoute } from "@tanstack/react-router";
import { CalendarPage } from "../../../features/meetings/calendar-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/calendar")({
  component: CalendarPage,
});
