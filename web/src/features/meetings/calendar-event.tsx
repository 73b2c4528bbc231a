import { MEETING_STATUS_NAMES, MEETING_TYPE_COLOURS, MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { IconShield } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import type { RenderEventBody, WeekViewProps } from "@mantine/schedule";
import type { Shown } from "./calendar-events.ts";
import { LOCATION_NAMES } from "./meeting-locations.ts";
import { nameOf } from "./meeting-name.ts";

type RenderEvent = NonNullable<WeekViewProps["renderEvent"]>;
type Meetings = Shown["meetings"];

/** What stands in an event: whom it is with, when, and where or in which state. */
export const eventBody =
  (meetings: Meetings): RenderEventBody =>
  ({ id, title }) => {
    const meeting = meetings.get(String(id));
    if (!meeting) return title;
    const { type, status, location, hasSafetyRule, from, to } = meeting;
    const isPlain = status === "booked" || status === "confirmed";
    return (
      <span className="calendar-event" data-safety={hasSafetyRule || undefined}>
        <span className="calendar-event-name" data-struck={status === "no_show" || status === "cancelled" || undefined}>
          <span title={nameOf(meeting)}>{nameOf(meeting)}</span>
        </span>
        <span className="calendar-event-time">
          {from}
          <span className="calendar-event-end">–{to}</span>
          {hasSafetyRule && <IconShield size={14} stroke={1.7} aria-hidden />}
        </span>
        <span className="calendar-event-place">
          {isPlain ? location.place || LOCATION_NAMES[location.kind] : MEETING_STATUS_NAMES[status]}
        </span>
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
    const style = placeIn(props.style);
    return <button {...props} style={style} type="button" data-status={meeting.status} data-colour={colour} />;
  };

/** Where it stands, without the colours that the library works out: ours come from the style sheet. */
const placeIn = (style: CSSProperties = {}): CSSProperties =>
  Object.fromEntries(Object.entries(style).filter(([name]) => !name.startsWith("--")));
