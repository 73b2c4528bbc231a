// What a card or a row says of a lead.
import { LOST_REASON_NAMES } from "@app/shared/lead-states";
import { LEAD_CHANNEL_NAMES, type LeadRow } from "@app/shared/leads";
import { dayIn } from "@app/shared/days";
import type { Formats } from "../../core/format.ts";
import { SOURCE_NAMES } from "../cases/case-words.ts";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** Where it came from: by a page of ours, else who sent them, else how they asked. */
export function cameBy({ channel, source }: Pick<LeadRow, "channel" | "source">): string {
  const isOurs = channel === "form" || channel === "booking";
  return isOurs || source === "self" ? LEAD_CHANNEL_NAMES[channel] : SOURCE_NAMES[source];
}

/** A length of time as short as it can be said: "18 min", "2 h", "3 days". */
export function durationOf(minutes: number): string {
  if (minutes < HOUR_MINUTES) return `${Math.max(minutes, 0)} min`;
  if (minutes < DAY_MINUTES) return `${Math.floor(minutes / HOUR_MINUTES)} h`;
  const days = Math.floor(minutes / DAY_MINUTES);
  return days === 1 ? "1 day" : `${days} days`;
}

/** The same to the minute within a day: "1 h 52 min". */
export function exactDuration(minutes: number): string {
  const rest = minutes % HOUR_MINUTES;
  if (minutes < HOUR_MINUTES || minutes >= DAY_MINUTES || rest === 0) return durationOf(minutes);
  return `${Math.floor(minutes / HOUR_MINUTES)} h ${rest} min`;
}

export const minutesSince = (instant: string, now: Date): number =>
  Math.floor((now.getTime() - Date.parse(instant)) / MINUTE_MS);

export interface NextLine {
  text: string;
  /** It should have been done by now. */
  isLate: boolean;
}

interface At {
  now: Date;
  timeZone: string;
  formats: Pick<Formats, "time" | "shortDay">;
}

type Stated = Pick<
  LeadRow,
  "status" | "lostReason" | "converted" | "firstResponseAt" | "responseDueAt" | "nextStep" | "nextOn" | "conflictState"
>;

/** What is to be done next with a lead, or what came of it. */
export function nextLine(lead: Stated, { now, timeZone, formats }: At): NextLine {
  if (lead.status === "lost")
    return { text: lead.lostReason ? LOST_REASON_NAMES[lead.lostReason] : "Lost", isLate: false };
  if (lead.status === "converted") return { text: lead.converted?.caseRef || "Case opened", isLate: false };
  const today = dayIn(timeZone, now);
  if (lead.firstResponseAt === null) return replyLine(lead, { now, timeZone, formats });
  if (lead.nextOn === "") return { text: lead.nextStep || quietLine(lead), isLate: false };
  const when = lead.nextOn === today ? "today" : formats.shortDay(lead.nextOn);
  return { text: [lead.nextStep || "Next step", when].join(", "), isLate: lead.nextOn < today };
}

function replyLine({ responseDueAt }: Stated, { now, timeZone, formats }: At): NextLine {
  const due = new Date(responseDueAt);
  if (due <= now) return { text: `Reply late by ${durationOf(minutesSince(responseDueAt, now))}`, isLate: true };
  const day = dayIn(timeZone, due);
  const time = formats.time(responseDueAt);
  return {
    text: day === dayIn(timeZone, now) ? `Reply by ${time}` : `Reply by ${formats.shortDay(day)}, ${time}`,
    isLate: false,
  };
}

const quietLine = ({ conflictState }: Stated): string => {
  if (conflictState === "clear") return "Conflict check clear";
  return conflictState === "looked_at" ? "Conflict check looked at" : "No next step yet";
};
