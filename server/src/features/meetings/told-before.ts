// What one party is told of a meeting by, whenever it is written: in their own zone, and beside what they were told before.
import { type Dates, datesIn } from "../../core/dates.ts";
import { toldOfMeetings } from "../outbox/notices.service.ts";
import { practiceRegion, practiceTimeZone } from "../practices/practices.service.ts";
import { chainOf } from "./meeting-chains.ts";
import { entryOf } from "./meeting-uids.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";

interface Addressed {
  meeting: MeetingDoc;
  party: { partyId: string; clientId: string };
  caseId: string;
}

/** The zone in which they chose the time themselves, else the practice's: every mail of it says the same. */
export async function datesFor({ meeting, party }: Omit<Addressed, "caseId">): Promise<Dates> {
  const { ownerId, booking, chosenIn } = meeting;
  const chosen = chosenIn?.find(({ partyId }) => partyId === party.partyId);
  const own = booking?.clientId === party.clientId ? booking.timeZone : chosen?.timeZone;
  return datesIn(await practiceRegion(ownerId), own ?? (await practiceTimeZone(ownerId)));
}

/** When this party last read that it is to be, before it was arranged as it stands; null where nothing left to them. */
export async function toldBefore({ meeting, party, caseId }: Addressed): Promise<Date | null> {
  const { partyId, clientId } = party;
  const { sequence } = entryOf(meeting, partyId);
  const left = await toldOfMeetings(meeting.ownerId, { caseId, clientIds: [clientId] });
  const own = left.filter((told) => told.partyId === partyId && told.meeting.sequence < sequence);
  if (own.length === 0) return null;
  const ids = new Set((await chainOf(meeting.ownerId, meeting._id, partyId)).map(({ _id }) => _id));
  const last = own
    .filter((told) => ids.has(told.meeting.id))
    .toSorted(
      (one, other) => one.meeting.sequence - other.meeting.sequence || one.sentAt.getTime() - other.sentAt.getTime(),
    )
    .at(-1);
  return last?.meeting.known ? new Date(last.meeting.known.startsAt) : null;
}
