import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { type GridActs, HoursGrid, MonthGrid } from "./calendar-grid.tsx";
import { type calendarAt, type CalendarView, isWithin } from "./calendar-range.ts";
import { MeetingList } from "./meeting-list.tsx";

const FAILURE = "The calendar could not be read";

type Props = ReturnType<typeof calendarAt> & GridActs;

/** What is in the calendar in the time shown. */
export function CalendarContent(shown: Props) {
  const { view, ...others } = shown;
  if (view === "month") return <Month {...others} />;
  return view === "agenda" ? <AgendaView {...others} /> : <Hours {...others} view={view} />;
}

type Shown = Omit<Props, "view">;

function Month({ input, day, ...acts }: Shown) {
  const month = api.meetings.month.useQuery(input, { placeholderData: keepPreviousData });
  const { place, isBehind } = useDrawnPlace({ view: "month", day }, month.isPlaceholderData);
  return (
    <Loaded query={month} failureTitle={FAILURE}>
      {(data) => (
        <Drawn isBehind={isBehind} isCut={data.isCut}>
          <MonthGrid {...acts} day={place.day} month={data} />
        </Drawn>
      )}
    </Loaded>
  );
}

function Hours({ input, view, day, ...acts }: Shown & { view: "day" | "week" }) {
  const calendar = api.meetings.calendar.useQuery(input, { placeholderData: keepPreviousData });
  const { place, isBehind } = useDrawnPlace({ view, day }, calendar.isPlaceholderData);
  const workingTime = useWorkingTime(input.mediatorId);
  return (
    <Loaded query={calendar} failureTitle={FAILURE}>
      {(data) => (
        <Drawn isBehind={isBehind} isCut={data.isCut}>
          <HoursGrid {...acts} {...place} calendar={data} workingTime={workingTime} />
        </Drawn>
      )}
    </Loaded>
  );
}

/** One's own hours, over one's own calendar and the practice's; of others they are not known here. */
function useWorkingTime(mediatorId: string | undefined) {
  const { userId } = useCurrentUser();
  const isOwn = mediatorId === undefined || mediatorId === userId;
  const { data } = api.meetings.availability.useQuery(undefined, { enabled: isOwn });
  return isOwn && data && data.weekly.length > 0 ? data : undefined;
}

function AgendaView({ input, onOpen }: Shown) {
  const calendar = api.meetings.calendar.useQuery(input, { placeholderData: keepPreviousData });
  return (
    <Loaded query={calendar} failureTitle={FAILURE}>
      {(data) => (
        <Drawn isBehind={calendar.isPlaceholderData} isCut={data.isCut}>
          <MeetingList meetings={data.meetings} onOpen={onOpen} />
        </Drawn>
      )}
    </Loaded>
  );
}

interface Place<View extends CalendarView> {
  view: View;
  day: string;
}

/**
 * Which time the grid draws: while the meetings of another are on their way (`isWaiting`) the one before stays as it
 * was, unless it has this one's within it.
 */
function useDrawnPlace<View extends CalendarView>(asked: Place<View>, isWaiting: boolean) {
  const [drawn, setDrawn] = useState(asked);
  if (!isWaiting && (drawn.view !== asked.view || drawn.day !== asked.day)) setDrawn(asked);
  const isBehind = isWaiting && !isWithin(asked, drawn);
  return { place: isBehind ? drawn : asked, isBehind };
}

function Drawn({ isBehind, isCut, children }: { isBehind: boolean; isCut: boolean; children: ReactNode }) {
  return (
    <div className="calendar-drawn" aria-busy={isBehind}>
      {isCut && <p className="quiet-text">There is more than can be shown. Choose a shorter time or one person.</p>}
      {children}
    </div>
  );
}
