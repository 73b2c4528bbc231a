import { IconCalendar } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function CalendarPage() {
  useTitle("Calendar");
  return (
    <>
      <PageHead title="Calendar" />
      <EmptyState
        icon={<IconCalendar size={24} stroke={1.7} />}
        title="No meetings are kept yet"
        actions={<LinkButton to="/clients">Open clients</LinkButton>}
      >
        <p>
          Assessment meetings, mediations and calls will stand here by day, week and month, with rooms and who attends.
        </p>
        <p>This version cannot book meetings. Keep the ones you have in the calendar you use now.</p>
      </EmptyState>
    </>
  );
}
