import type { Dashboard } from "@app/shared/dashboard";
import { useNavigate } from "@tanstack/react-router";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { MeetingRow } from "../meetings/meeting-list.tsx";

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
        <ul className="meeting-list">
          {meetings.items.map((meeting) => (
            <li key={meeting.id}>
              <MeetingRow
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
