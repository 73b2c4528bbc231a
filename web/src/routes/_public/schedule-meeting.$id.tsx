import { createFileRoute } from "@tanstack/react-router";
import { ScheduleMeetingPage } from "../../features/meetings/schedule-meeting-page.tsx";

export const Route = createFileRoute("/_public/schedule-meeting/$id")({
  component: ScheduleMeetingPage,
});
