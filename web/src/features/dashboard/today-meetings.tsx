import type { Dashboard } from "@app/shared/dashboard";
import { useNavigate } from "@tanstack/react-router";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { AgendaRow } from "../meetings/agenda.tsx";

/** What happens today, in its order. */
export function TodayMeetings({ meetings }: { meetings: Dashboard["meetings"] }) {
  const navigate = useNavigate();
  return (
    <Section
      title="Today"
      count={meetings.total || undefined}
      action={<TextLink to="/calendar">Open calendar</TextLink>}
    >
      {meetings.items.length === 0 ? (
        <p className="dashboard-nothing">No meetings today.</p>
      ) : (
        <ul className="agenda">
          {meetings.items.map((meeting) => (
            <li key={meeting.id}>
              <AgendaRow
                meeting={meeting}
                onOpen={(open) => void navigate({ to: "/calendar", search: { view: "day", open } })}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
