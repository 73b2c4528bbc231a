import { can } from "@app/shared/access";
import type { Meeting } from "@app/shared/meetings";
import { REGIONS } from "@app/shared/regions";
import { instantOf } from "@app/shared/wall-time";
import { ActionIcon, Button, Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { IconCalendarPlus, IconChevronLeft, IconChevronRight, IconLink, IconSettings } from "@tabler/icons-react";
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
import { loadCalendar } from "./load-calendar.ts";
import { MeetingDialog } from "./meeting-dialog.tsx";
import "./calendar.css";

const VIEW_NAMES = { day: "Day", week: "Week", month: "Month", agenda: "Agenda" } as const;

/** The meetings of the practice or of one mediator, by day, week and month. */
export function CalendarPage({ search }: { search: CalendarSearch }) {
  useTitle("Calendar");
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const today = useToday();
  const { view, day, input } = calendarAt(search, { isPhone, today, timeZone: user.timeZone });
  const mayManage = can(user, "calendar.manage");
  const { show, onOpen, onDay, onBook, onSettings, onBooked } = useCalendarActs();
  const stepped = (by: Direction, from = day) => (by === 0 ? today : stepOf(view, from, by));
  // Where it fails, the calendar says so once it is there.
  const load = (next: string) => loadCalendar({ ...search, day: next }).catch(() => undefined);
  const step = async (by: Direction) => {
    const next = stepped(by);
    show((place) => ({ ...place, day: next }));
    // Whoever goes on, goes on the same way.
    await load(next);
    await load(stepped(by, next));
  };
  return (
    <>
      <PageHead
        title={titleOf(view, day, REGIONS[user.region].locale)}
        isTitleKeptOnPhone
        meta={<Steps onNear={(by) => void load(stepped(by))} onStep={(by) => void step(by)} />}
        actions={
          <CalendarActions
            view={isPhone ? null : view}
            onView={(next) => show(({ view: _view, ...place }) => (next === "week" ? place : { ...place, view: next }))}
            onSettings={onSettings}
            onLinks={mayManage ? () => show((place) => ({ ...place, view: "links" })) : undefined}
            onBook={mayManage ? () => onBook(`${day}T09:00`) : undefined}
          />
        }
      />
      <CalendarBar
        mediator={search.mediator ?? ""}
        onMediator={(mediator) =>
          show(({ mediator: _before, ...place }) => (mediator ? { ...place, mediator } : place))
        }
      />
      <CalendarContent
        view={view}
        day={day}
        input={input}
        mayManage={mayManage}
        onOpen={onOpen}
        onDay={onDay}
        onBook={onBook}
      />
      <CalendarDialogs
        search={search}
        mayManage={mayManage}
        onClose={() => show((place) => place)}
        onBooked={({ id }) => onBooked(id)}
      />
    </>
  );
}

/** Changes the address. They stay the same from one drawing to the next, or the grid would be drawn each time. */
function useCalendarActs() {
  const navigate = useNavigate({ from: "/calendar" });
  return useMemo(() => {
    const go = (change: (place: CalendarSearch) => CalendarSearch, replace: boolean) =>
      void navigate({
        search: ({ open: _open, book: _book, settings: _settings, ...place }) => change(place),
        replace,
      });
    const show = (change: (place: CalendarSearch) => CalendarSearch) => go(change, true);
    /** What opens over the calendar is closed by Back. */
    const openOver = (dialog: Pick<CalendarSearch, "open" | "book" | "settings">) =>
      go((place) => ({ ...place, ...dialog }), false);
    return {
      /** With nothing open over the calendar, unless the change says so. */
      show,
      onOpen: (id: string) => openOver({ open: id }),
      onDay: (day: string) => show((place) => ({ ...place, view: "day", day })),
      onBook: (at: string) => openOver({ book: at }),
      onSettings: () => openOver({ settings: "open" }),
      /** In place of the form, which Back does not open again. */
      onBooked: (id: string) => show((place) => ({ ...place, open: id })),
    };
  }, [navigate]);
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

type Direction = -1 | 0 | 1;

interface StepsProps {
  /** Somebody is about to take it. */
  onNear: (by: Direction) => void;
  onStep: (by: Direction) => void;
}

/** Earlier, back to today, later. */
function Steps({ onNear, onStep }: StepsProps) {
  const size = useIsPhone() ? 44 : 30;
  const to = (by: Direction) => ({
    onPointerEnter: () => onNear(by),
    onFocus: () => onNear(by),
    onClick: () => onStep(by),
  });
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon variant="default" size={size} aria-label="Earlier" {...to(-1)}>
        <IconChevronLeft size={16} stroke={1.7} />
      </ActionIcon>
      <Button variant="default" {...to(0)}>
        Today
      </Button>
      <ActionIcon variant="default" size={size} aria-label="Later" {...to(1)}>
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
  onLinks: (() => void) | undefined;
  onBook: (() => void) | undefined;
}

function CalendarActions({ view, onView, onSettings, onLinks, onBook }: ActionsProps) {
  const isPhone = useIsPhone();
  const size = isPhone ? 44 : 30;
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
      <ActionIcon variant="default" size={size} aria-label="Calendar settings" onClick={onSettings}>
        <IconSettings size={16} stroke={1.7} />
      </ActionIcon>
      {onLinks && (
        <ActionIcon variant="default" size={size} aria-label="Booking links" title="Booking links" onClick={onLinks}>
          <IconLink size={16} stroke={1.7} />
        </ActionIcon>
      )}
      {onBook && isPhone && (
        <ActionIcon variant="filled" color="teal" size={size} aria-label="Book a meeting" onClick={onBook}>
          <IconCalendarPlus size={20} stroke={1.7} />
        </ActionIcon>
      )}
      {onBook && !isPhone && (
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
