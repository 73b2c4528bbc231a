import { can } from "@app/shared/access";
import type { Meeting } from "@app/shared/meetings";
import { REGIONS } from "@app/shared/regions";
import { instantOf } from "@app/shared/wall-time";
import { ActionIcon, Button, Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { IconCalendarPlus, IconChevronLeft, IconChevronRight, IconSettings } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { useToday } from "../../core/today.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { BookMeetingDialog } from "./book-meeting-dialog.tsx";
import { CalendarContent } from "./calendar-content.tsx";
import { CalendarLegend } from "./calendar-legend.tsx";
import { CALENDAR_VIEWS, calendarAt, type CalendarView, stepOf, titleOf } from "./calendar-range.ts";
import type { CalendarSearch } from "./calendar-search.ts";
import { CalendarSettingsDialog } from "./calendar-settings-dialog.tsx";
import { MeetingDialog } from "./meeting-dialog.tsx";
import "./calendar.css";

const VIEW_NAMES = { day: "Day", week: "Week", month: "Month", agenda: "Agenda" } as const;

/** The meetings of the practice or of one mediator, by day, week and month. */
export function CalendarPage({ search }: { search: CalendarSearch }) {
  useTitle("Calendar");
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const today = useToday();
  const { view, day, input } = calendarAt(search, { isPhone, today, timeZone: user.timeZone });
  const mayManage = can(user, "calendar.manage");
  const show = (next: CalendarSearch) => void navigate({ to: "/calendar", search: next, replace: true });
  const { open: _open, book: _book, settings: _settings, ...place } = search;
  const { mediator: _mediator, ...ofEverybody } = place;
  const { view: _view, ...ofWeek } = place;
  const openMeeting = (id: string) => show({ ...place, open: id });
  const book = (at?: string) => show({ ...place, book: at ?? `${day}T09:00` });
  return (
    <>
      <PageHead
        title={titleOf(view, day, REGIONS[user.region].locale)}
        isTitleKeptOnPhone
        meta={<Steps onStep={(by) => show({ ...place, day: by === 0 ? today : stepOf(view, day, by) })} />}
        actions={
          <CalendarActions
            view={isPhone ? null : view}
            onView={(next) => show(next === "week" ? ofWeek : { ...ofWeek, view: next })}
            onSettings={() => show({ ...place, settings: "open" })}
            onBook={mayManage ? () => book() : undefined}
          />
        }
      />
      <CalendarBar
        mediator={search.mediator ?? ""}
        onMediator={(mediator) => show(mediator ? { ...ofEverybody, mediator } : ofEverybody)}
      />
      <CalendarContent
        view={view}
        day={day}
        input={input}
        mayManage={mayManage}
        onOpen={openMeeting}
        onDay={(next) => show({ ...place, view: "day", day: next })}
        onBook={book}
      />
      <CalendarDialogs
        search={search}
        mayManage={mayManage}
        onClose={() => show(place)}
        onBooked={({ id }) => openMeeting(id)}
      />
    </>
  );
}

interface DialogsProps {
  search: CalendarSearch;
  mayManage: boolean;
  onClose: () => void;
  onBooked: (meeting: Meeting) => void;
}

/** What the address says is open over the calendar. */
function CalendarDialogs({ search: { open, book, settings }, mayManage, onClose, onBooked }: DialogsProps) {
  const { timeZone } = useCurrentUser();
  return (
    <>
      {open && <MeetingDialog meetingId={open} onClose={onClose} />}
      {isWallTime(book) && mayManage && (
        <BookMeetingDialog
          startsAt={instantOf(timeZone, { day: book.slice(0, 10), time: book.slice(11) }).toISOString()}
          onClose={onClose}
          onBooked={onBooked}
        />
      )}
      {settings && <CalendarSettingsDialog onClose={onClose} />}
    </>
  );
}

/** Earlier, back to today, later. */
function Steps({ onStep }: { onStep: (by: -1 | 0 | 1) => void }) {
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon variant="default" size={30} aria-label="Earlier" onClick={() => onStep(-1)}>
        <IconChevronLeft size={16} stroke={1.7} />
      </ActionIcon>
      <Button variant="default" onClick={() => onStep(0)}>
        Today
      </Button>
      <ActionIcon variant="default" size={30} aria-label="Later" onClick={() => onStep(1)}>
        <IconChevronRight size={16} stroke={1.7} />
      </ActionIcon>
    </Group>
  );
}

interface ActionsProps {
  /** Null where there is only one. */
  view: CalendarView | null;
  onView: (view: CalendarView) => void;
  onSettings: () => void;
  onBook: (() => void) | undefined;
}

function CalendarActions({ view, onView, onSettings, onBook }: ActionsProps) {
  return (
    <>
      {view && (
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={view}
          data={CALENDAR_VIEWS.map((value) => ({ value, label: VIEW_NAMES[value] }))}
          onChange={(value) => onView(CALENDAR_VIEWS.find((known) => known === value) ?? "week")}
        />
      )}
      <ActionIcon variant="default" size={30} aria-label="Calendar settings" onClick={onSettings}>
        <IconSettings size={16} stroke={1.7} />
      </ActionIcon>
      {onBook && (
        <Button leftSection={<IconCalendarPlus size={16} stroke={1.7} aria-hidden />} onClick={onBook}>
          Book a meeting
        </Button>
      )}
    </>
  );
}

/** What the colours mean, whose calendar it is, and in which zone its times are. */
function CalendarBar({ mediator, onMediator }: { mediator: string; onMediator: (mediator: string) => void }) {
  const { timeZone } = useCurrentUser();
  const people = api.users.colleagues.useQuery();
  return (
    <div className="calendar-bar">
      <CalendarLegend />
      <NativeSelect
        size="xs"
        aria-label="Whose calendar"
        value={mediator}
        data={[
          { value: "", label: "Whole practice" },
          ...(people.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
        ]}
        onChange={(event) => onMediator(event.currentTarget.value)}
      />
      <span className="quiet-text">{timeZone}</span>
    </div>
  );
}

// An address can be typed by hand.
const isWallTime = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text ?? "");
