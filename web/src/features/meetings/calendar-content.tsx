import { keepPreviousData } from "@tanstack/react-query";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { type GridActs, HoursGrid, MonthGrid } from "./calendar-grid.tsx";
import type { calendarAt } from "./calendar-range.ts";
import { MeetingList } from "./meeting-list.tsx";

const FAILURE = "The calendar could not be read";

type Props = ReturnType<typeof calendarAt> & GridActs;

/** What is in the calendar in the time shown. */
export function CalendarContent({ view, ...shown }: Props) {
  if (view === "month") return <Month {...shown} />;
  return view === "agenda" ? <Agenda {...shown} /> : <Hours view={view} {...shown} />;
}

type Shown = Omit<Props, "view">;

function Month({ input, ...shown }: Shown) {
  const month = api.meetings.month.useQuery(input, { placeholderData: keepPreviousData });
  return (
    <Loaded query={month} failureTitle={FAILURE}>
      {(data) => (
        <>
          {data.isCut && <Cut />}
          <MonthGrid {...shown} month={data} />
        </>
      )}
    </Loaded>
  );
}

function Hours({ input, ...shown }: Shown & { view: "day" | "week" }) {
  const calendar = api.meetings.calendar.useQuery(input, { placeholderData: keepPreviousData });
  return (
    <Loaded query={calendar} failureTitle={FAILURE}>
      {(data) => (
        <>
          {data.isCut && <Cut />}
          <HoursGrid {...shown} calendar={data} />
        </>
      )}
    </Loaded>
  );
}

function Agenda({ input, onOpen }: Shown) {
  const calendar = api.meetings.calendar.useQuery(input, { placeholderData: keepPreviousData });
  return (
    <Loaded query={calendar} failureTitle={FAILURE}>
      {(data) => (
        <>
          {data.isCut && <Cut />}
          <MeetingList meetings={data.meetings} onOpen={onOpen} />
        </>
      )}
    </Loaded>
  );
}

const Cut = () => <p className="quiet-text">There is more than can be shown. Choose a shorter time or one person.</p>;
