// What mails to whoever booked say beside the meeting itself: each feature that knows something of it adds it.
import type { MeetingDoc } from "./meetings.model.ts";

export interface VisitWords {
  /** What it tells instead of what it would. */
  kind?: "toPay" | "unpaid";
  /** Also where somebody else may read it. */
  lines: string[];
  /** Only where nobody else does: addresses, by which the practice is known. */
  ownLines: string[];
}

/** What is told: that it is asked for or stands, that it is off, or that it is soon. */
type Say = (meeting: MeetingDoc, purpose: "invitation" | "cancellation" | "reminder") => Promise<VisitWords | null>;
const saying: Say[] = [];

/** Called once, beside what knows it; it reads in the transaction of what the mail tells of. */
export const defineVisitWords = (say: Say): void => void saying.push(say);

export async function visitWords(...of: Parameters<Say>): Promise<VisitWords> {
  const said: VisitWords = { lines: [], ownLines: [] };
  for (const say of saying) {
    const words = await say(...of);
    if (!words) continue;
    if (words.kind) said.kind = words.kind;
    said.lines.push(...words.lines);
    said.ownLines.push(...words.ownLines);
  }
  return said;
}
