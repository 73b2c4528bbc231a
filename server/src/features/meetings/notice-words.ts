// The words and the calendar entry by which one party is told of a meeting, as it is and as they may be addressed now.
import type { Party } from "@app/shared/cases";
import { type Client, isRestricted } from "@app/shared/clients";
import type { Dates } from "../../core/dates.ts";
import type { MailContent } from "../outbox/outbox.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { standsFor } from "../users/users.service.ts";
import { calendarEntry } from "./calendar-entry.ts";
import { entryOf } from "./meeting-uids.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import type { PartyMeeting } from "./meetings.visibility.ts";

export type NoticePurpose = "invitation" | "cancellation" | "reminder";

export interface NoticeWords {
  meeting: MeetingDoc;
  party: Pick<Party, "partyId" | "clientId" | "label">;
  client: Client;
  purpose: NoticePurpose;
  /** Who is named as having invited. */
  sender: string;
  /** Where the mail comes from. */
  organiserEmail: string;
  dates: Dates;
}

/** Who is named as having invited: the practice, or a person where the practice must not be named. */
export const inviterOf = ({ ownerId, createdBy }: MeetingDoc, { safeContact }: Client): Promise<string> =>
  isRestricted(safeContact) ? standsFor(ownerId, createdBy) : practiceNameOf(ownerId);

// Neutral for everybody, so that the subject alone never tells that somebody is in mediation.
const SUBJECTS: Record<NoticePurpose, string> = {
  invitation: "Your appointment",
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
    subject: SUBJECTS[purpose],
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

const OPENINGS: Record<NoticePurpose, string> = {
  invitation: "This is to confirm your appointment with",
  cancellation: "This appointment is cancelled. It was with",
  reminder: "This is a reminder of your appointment with",
};

function textOf(own: PartyMeeting, { dates, purpose, sender }: NoticeWords): string {
  return [
    `${OPENINGS[purpose]} ${sender}.`,
    "",
    `When: ${dates.dateTime(own.startsAt)} (${dates.zone(own.startsAt)})`,
    own.location,
    "",
    "If you have a question, answer this message or phone us.",
  ].join("\n");
}
