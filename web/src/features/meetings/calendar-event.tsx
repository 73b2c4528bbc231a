import { MEETING_STATUS_NAMES, MEETING_TYPE_COLOURS, MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import type { CalendarMeeting } from "@app/shared/meetings";
import { IconShield } from "@tabler/icons-react";
import type { RenderEventBody, WeekViewProps } from "@mantine/schedule";
import { LOCATION_NAMES } from "./meeting-locations.ts";
import { nameOf } from "./meeting-name.ts";

type RenderEvent = NonNullable<WeekViewProps["renderEvent"]>;
type Meetings = ReadonlyMap<string, CalendarMeeting>;

const timeOf = (wall: string | Date): string => String(wall).slice(11, 16);

/** What stands in an event: whom it is with, when, and where or in which state. */
export const eventBody =
  (meetings: Meetings): RenderEventBody =>
  ({ id, title, start, end }) => {
    const meeting = meetings.get(String(id));
    if (!meeting) return title;
    const { type, status, location, hasSafetyRule } = meeting;
    const isPlain = status === "booked" || status === "confirmed";
    return (
      <span className="calendar-event">
        <span className="calendar-event-name" data-struck={status === "no_show" || status === "cancelled" || undefined}>
          {nameOf(meeting)}
          {hasSafetyRule && <IconShield size={14} stroke={1.7} aria-hidden />}
        </span>
        <span>
          {timeOf(start)}–{timeOf(end)}
        </span>
        <span>{isPlain ? location.place || LOCATION_NAMES[location.kind] : MEETING_STATUS_NAMES[status]}</span>
        <span className="visually-hidden">
          {MEETING_TYPE_NAMES[type]}, {MEETING_STATUS_NAMES[status]}
          {hasSafetyRule && ", safety measures"}
        </span>
      </span>
    );
  };

/** The tint and line of its kind, and for a screen reader everything in one sentence. */
export const eventProps =
  (meetings: Meetings): RenderEvent =>
  (event, given) => {
    // Beside what a button has, the library gives what only its own button understands.
    const { mod: _mod, size: _size, ...props }: typeof given & { mod?: unknown; size?: unknown } = given;
    const meeting = meetings.get(String(event.id));
    if (!meeting && event.display !== "background") return <button {...props} type="button" data-more />;
    if (!meeting) return <button {...props} type="button" tabIndex={-1} className="calendar-busy" />;
    const colour = MEETING_TYPE_COLOURS[meeting.type];
    return <button {...props} type="button" data-status={meeting.status} data-colour={colour} />;
  };
