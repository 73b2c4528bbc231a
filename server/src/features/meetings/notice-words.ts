// The words and the calendar entry by which one party is told of a meeting, as it is and as they may be addressed now.
import type { Party } from "@app/shared/cases";
import { type Client, isRestricted } from "@app/shared/clients";
import type { Dates } from "../../core/dates.ts";
import type { MailContent } from "../outbox/outbox.service.ts";
import { standInOf } from "../mail/stand-in.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { standsFor } from "../users/users.service.ts";
import { calendarEntry } from "./calendar-entry.ts";
import { detailsOf, manageAddress } from "./meeting-bookings.ts";
import { entryOf } from "./meeting-uids.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import type { PartyMeeting } from "./meetings.visibility.ts";

export type NoticePurpose = "invitation" | "cancellation" | "reminder";

export interface NoticeWords {
  meeting: MeetingDoc;
  party: Pick<Party, "partyId" | "clientId" | "label">;
  client: Client;
  purpose: NoticePurpose;
  /** Who is named as having invited; empty for nobody. */
  sender: string;
  /** Where the mail comes from. */
  organiserEmail: string;
  dates: Dates;
  /** When it was to be, as they were told last; null for nobody who was told. */
  before: Date | null;
  /** Where they look after it by themselves; empty for nowhere. */
  ownLink: string;
}

/** Who is named as having invited: the practice; where it must not be named a person, or nobody. */
export async function inviterOf({ ownerId, createdBy }: MeetingDoc, { safeContact }: Client): Promise<string> {
  const practiceName = await practiceNameOf(ownerId);
  if (!isRestricted(safeContact)) return practiceName;
  return standInOf(practiceName, await standsFor(ownerId, createdBy)).name;
}

type Kind = NoticePurpose | "moved";

/** What it tells somebody who knew of another time. */
const kindOf = ({ startsAt }: PartyMeeting, { purpose, before }: NoticeWords): Kind =>
  purpose === "invitation" && before && before.getTime() !== startsAt.getTime() ? "moved" : purpose;

// Neutral for everybody, so that the subject alone never tells that somebody is in mediation.
const SUBJECTS: Record<Kind, string> = {
  invitation: "Your appointment",
  moved: "Your appointment has moved",
  cancellation: "Your appointment is cancelled",
  reminder: "Appointment reminder",
};

type NoticeContent = Pick<MailContent, "toName" | "to" | "subject" | "text" | "attachments" | "meeting">;

export function noticeOf(own: PartyMeeting, words: NoticeWords): NoticeContent {
  const { meeting, party, client, purpose } = words;
  const { title, startsAt, endsAt, location } = own;
  return {
    toName: client.displayName,
    to: client.email,
    subject: SUBJECTS[kindOf(own, words)],
    text: textOf(own, words),
    attachments: purpose === "reminder" ? [] : [calendarOf(own, words)],
    meeting: {
      id: meeting._id,
      sequence: entryOf(meeting, party.partyId).sequence,
      known: { title, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), location },
    },
  };
}

const calendarOf = (own: PartyMeeting, { meeting, party, client, purpose, sender, organiserEmail }: NoticeWords) =>
  calendarEntry(own, {
    meeting,
    method: purpose === "cancellation" ? "CANCEL" : "REQUEST",
    organiser: { name: sender, email: organiserEmail },
    attendee: { partyId: party.partyId, name: client.displayName, email: client.email },
  });

const OPENINGS: Record<Kind, (appointment: string) => string> = {
  invitation: (appointment) => `This is to confirm ${appointment}.`,
  moved: (appointment) => `This is to tell you that ${appointment} has moved.`,
  cancellation: (appointment) => `This is to tell you that ${appointment} is cancelled.`,
  reminder: (appointment) => `This is a reminder of ${appointment}.`,
};

/** Where whoever booked it by a link of their own moves or cancels it; nowhere for somebody who is reached discreetly. */
function manageLines({ meeting, client, purpose, ownLink }: NoticeWords): string[] {
  if (purpose === "cancellation" || isRestricted(client.safeContact)) return [];
  if (ownLink) return [`To see it, or to cancel it up to a day before: ${ownLink}`, ""];
  const details = meeting.booking?.clientId === client.id ? detailsOf(meeting) : null;
  if (!details) return [];
  return [`To move or cancel it: ${manageAddress(details.token)}`, ""];
}

function textOf(own: PartyMeeting, words: NoticeWords): string {
  const { dates, before, sender } = words;
  const kind = kindOf(own, words);
  const when = (at: Date) => `${dates.dateTime(at)} (${dates.zone(at)})`;
  return [
    OPENINGS[kind](sender ? `your appointment with ${sender}` : "your appointment"),
    "",
    `When: ${when(own.startsAt)}`,
    ...(kind === "moved" && before ? [`Before: ${when(before)}, which does not hold any more`] : []),
    own.location,
    ...(own.people.length > 0 ? [`Also there: ${own.people.join(", ")}`] : []),
    "",
    ...manageLines(words),
    "If you have a question, answer this message or phone us.",
  ].join("\n");
}
