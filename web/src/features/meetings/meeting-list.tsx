import { MEETING_STATUS_NAMES, MEETING_TYPE_COLOURS, MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import type { CalendarMeeting } from "@app/shared/meetings";
import { wallTimeOf } from "@app/shared/wall-time";
import { UnstyledButton } from "@mantine/core";
import { IconCalendar, IconShield } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { nameOf } from "./meeting-name.ts";
import "./meeting-list.css";

interface Props {
  meetings: readonly CalendarMeeting[];
  onOpen: (id: string) => void;
}

/** The meetings as a list, day by day. */
export function MeetingList({ meetings, onOpen }: Props) {
  const formats = useFormats();
  const { timeZone } = useCurrentUser();
  const days = Map.groupBy(meetings, ({ startsAt }) => wallTimeOf(timeZone, new Date(startsAt)).day);
  if (meetings.length === 0)
    return (
      <EmptyState icon={<IconCalendar size={24} stroke={1.7} />} title="No meetings in these two weeks">
        Choose another time, or book a meeting.
      </EmptyState>
    );
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <Section key={day} title={formats.longDay(new Date(`${day}T12:00:00Z`))} count={ofDay.length}>
          <ul className="meeting-list">
            {ofDay.map((meeting) => (
              <li key={meeting.id}>
                <MeetingRow meeting={meeting} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

export function MeetingRow({ meeting, onOpen }: { meeting: CalendarMeeting; onOpen: (id: string) => void }) {
  const formats = useFormats();
  const { id, type, status, startsAt, endsAt, location, hasSafetyRule, isBusyOnly } = meeting;
  return (
    <UnstyledButton className="meeting-list-row" disabled={isBusyOnly} onClick={() => onOpen(id)}>
      <span className="tabular meeting-list-time">
        <span>{formats.time(startsAt)}</span>
        <span className="meeting-list-dash">–</span>
        <span>{formats.time(endsAt)}</span>
      </span>
      <span
        className="meeting-list-line"
        style={{ background: `var(--chart-${MEETING_TYPE_COLOURS[type]})` }}
        aria-hidden
      />
      <span className="meeting-list-name">{nameOf(meeting)}</span>
      <span className="meeting-list-details">
        <span className="meeting-list-type">{isBusyOnly ? "" : MEETING_TYPE_NAMES[type]}</span>
        <span className="meeting-list-place">{location.place}</span>
      </span>
      {hasSafetyRule && (
        <Chip tone="safety" icon={<IconShield size={14} stroke={1.7} aria-hidden />}>
          Safe contact
        </Chip>
      )}
      <span className="meeting-list-status" data-plain={status === "booked" || status === "confirmed" || undefined}>
        {isBusyOnly ? "" : MEETING_STATUS_NAMES[status]}
      </span>
    </UnstyledButton>
  );
}
