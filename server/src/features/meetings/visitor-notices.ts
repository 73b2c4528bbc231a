// What somebody who is no client is told of the meeting that they booked: in their own zone, and to them alone.
import { type Client, isRestricted, safeNow } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { now } from "../../core/clock.ts";
import { datesIn } from "../../core/dates.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { waysToReach } from "@app/shared/safe-channels";
import { isReachedDiscreetly } from "../mail/gate.service.ts";
import { neutralPlaceOf } from "../mail/stand-in.service.ts";
import { carrierOf } from "../mail/mail-from.service.ts";
import { queueMail } from "../outbox/outbox.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { practiceDates, practiceNameOf, practiceRegion } from "../practices/practices.service.ts";
import { sealForNoParty } from "../visibility/for-party.service.ts";
import { invitationIcs } from "./ics.ts";
import { detailsOf, manageAddress, type MeetingBooking, visitOf } from "./meeting-bookings.ts";
import { noteWritten } from "./meeting-invitations.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import { type VisitWords, visitWords } from "./visit-words.service.ts";
import { LOCATIONS } from "./meetings.visibility.ts";

export type VisitorPurpose = "invitation" | "cancellation" | "reminder";

export const placeOfMeeting = ({ location, rooms }: Pick<MeetingDoc, "location" | "rooms">): string => {
  const place = [...rooms.filter(({ partyIds }) => partyIds.length === 0).map(({ name }) => name), location.place];
  return [LOCATIONS[location.kind], place.filter(Boolean).join(", ")].filter(Boolean).join(": ");
};

/**
 * Call it in the transaction of what it tells of. A client who booked as a party is told as every party is; one who is in
 * no case, as safely. `before`: what was moved, and holds no more.
 */
export async function tellVisitor(
  scope: Scope,
  meeting: MeetingDoc,
  purpose: VisitorPurpose,
  before?: MeetingDoc,
): Promise<void> {
  const details = visitOf(meeting);
  if (!meeting.booking || !details || meeting.caseId) return;
  const [clientId] = meeting.clientIds;
  const client = clientId ? await getClient(scope, clientId) : null;
  if (client && (!client.email || isRestricted(safeNow(client)))) return askToTellClient(scope, meeting, client);
  const visitor = client ? { name: client.displayName, email: client.email } : details.visitor;
  if (!visitor) return;
  const isAsked = meeting.status === "proposed" && purpose === "invitation";
  const words = await visitWords(meeting, purpose);
  const kind: Kind = words.kind ?? (isAsked ? (before ? "askedAnew" : "asked") : before ? "moved" : purpose);
  const telling = { meeting, booking: meeting.booking, kind, before, name: visitor.name, words };
  const practiceName = await practiceNameOf(scope.ownerId);
  const address = purpose === "cancellation" || kind === "toPay" ? "" : manageAddress(details.token);
  const discreet = await textOf({ ...telling, practiceName, isDiscreet: true, address: "" });
  const text = (await isReachedDiscreetly(scope.ownerId, visitor.email))
    ? discreet
    : await textOf({ ...telling, practiceName, isDiscreet: false, address });
  const calendar =
    isAsked || kind === "unpaid" || purpose === "reminder" ? [] : [await calendarFor(scope, meeting, purpose)];
  const { tokenHash, sequence } = meeting.booking;
  const visit = { tokenHash, sequence, discreet };
  const subject = SUBJECTS[kind];
  const content = { toName: visitor.name, to: visitor.email, subject, text, attachments: calendar, visit };
  await queueMail(scope, { purpose, visitId: meeting._id, content: sealForNoParty(clientId ?? null, content, []) });
  if (purpose === "invitation") await noteWritten(scope.ownerId, meeting._id);
}

interface Telling {
  meeting: MeetingDoc;
  booking: MeetingBooking;
  kind: Kind;
  /** What was moved. */
  before: MeetingDoc | undefined;
  name: string;
  practiceName: string;
  /** Somebody else may read it: it names the practice nowhere. */
  isDiscreet: boolean;
  /** Where they move or cancel it; empty where it is not said. */
  address: string;
  words: VisitWords;
}

async function textOf(telling: Telling): Promise<string> {
  const { meeting, booking, kind, before, name, practiceName, isDiscreet, address, words } = telling;
  const dates = datesIn(await practiceRegion(meeting.ownerId), booking.timeZone);
  const when = (at: Date) => `${dates.dateTime(at)} (${dates.zone(at)})`;
  const isAsked = kind === "asked" || kind === "askedAnew";
  const place = placeOfMeeting(meeting);
  return [
    `Dear ${name},`,
    "",
    OPENINGS[kind](isDiscreet ? "" : ` with ${practiceName}`),
    ...(isAsked ? ["The time is kept for you. We confirm it or suggest another one, and you get a message."] : []),
    "",
    `When: ${when(meeting.startsAt)}`,
    ...(before ? [`Before: ${when(before.startsAt)}, which does not hold any more`] : []),
    isDiscreet ? neutralPlaceOf(practiceName, place) : place,
    "",
    ...[...words.lines, ...(isDiscreet ? [] : words.ownLines)].flatMap((line) => [line, ""]),
    ...(address ? [`To move or cancel it: ${address}`, ""] : []),
    "If you have a question, answer this message or phone us.",
  ].join("\n");
}

async function askToTellClient(scope: Scope, { startsAt, timeZone, mediatorIds }: MeetingDoc, client: Client) {
  const { longDay } = await practiceDates(scope.ownerId);
  const title = `Tell them what became of their appointment on ${longDay(startsAt)}: no mail was sent. ${waysToReach(safeNow(client))}`;
  const assigneeId = mediatorIds[0] ?? scope.ownerId;
  await createTasks(scope, [
    {
      title: title.slice(0, TASK_TITLE_MAX_LENGTH),
      dueOn: dayIn(timeZone, now()),
      assigneeId,
      caseId: null,
      clientId: client.id,
    },
  ]);
}

type Kind = VisitorPurpose | "asked" | "askedAnew" | "moved" | "toPay" | "unpaid";

const SUBJECTS: Record<Kind, string> = {
  asked: "Your request for an appointment",
  askedAnew: "Your request for an appointment",
  invitation: "Your appointment",
  moved: "Your appointment has moved",
  cancellation: "Your appointment is cancelled",
  reminder: "Appointment reminder",
  toPay: "Your appointment is not booked yet",
  unpaid: "Your appointment was not booked",
};

const OPENINGS: Record<Kind, (withPractice: string) => string> = {
  asked: (withPractice) => `we have your request for a time${withPractice}.`,
  askedAnew: (withPractice) => `we have your request for another time${withPractice}.`,
  invitation: (withPractice) => `this is to confirm your appointment${withPractice}.`,
  moved: (withPractice) => `your appointment${withPractice} has moved.`,
  cancellation: (withPractice) => `your appointment${withPractice} is cancelled.`,
  reminder: (withPractice) => `this is a reminder of your appointment${withPractice}.`,
  toPay: (withPractice) => `we hold a time for you${withPractice}. It is booked once it is paid for.`,
  unpaid: (withPractice) => `the time that we held for you${withPractice} is free again, and nothing is booked.`,
};

async function calendarFor(scope: Scope, meeting: MeetingDoc, purpose: VisitorPurpose) {
  const { address: organiserEmail } = await carrierOf(scope);
  const content = await appointmentIcs(meeting, { purpose, organiserEmail, entry: meeting.booking });
  return { name: "invite.ics", mime: "text/calendar; charset=utf-8", content };
}

interface Entry {
  purpose: VisitorPurpose;
  organiserEmail: string;
  /** By what their calendar knows it: moved it is the same one, with a higher sequence. */
  entry: { uid: string; sequence: number } | undefined;
}

/** The entry for the calendar of whoever booked it; a client's names nobody, because somebody else may look at it. */
export async function appointmentIcs(meeting: MeetingDoc, { purpose, organiserEmail, entry }: Entry): Promise<string> {
  if (!entry) throw new Error(`meeting ${meeting._id} was booked by nobody from outside`);
  const visitor = detailsOf(meeting)?.visitor ?? null;
  const name = visitor ? await practiceNameOf(meeting.ownerId) : "";
  const { startsAt, endsAt } = meeting;
  const title = [TITLE, name].filter(Boolean).join(", ");
  const location = visitor ? placeOfMeeting(meeting) : "";
  return invitationIcs(
    {
      uid: entry.uid,
      sequence: entry.sequence,
      startsAt,
      endsAt,
      title,
      location,
      isTentative: meeting.status === "proposed",
    },
    {
      method: purpose === "cancellation" ? "CANCEL" : "REQUEST",
      organiser: { name, email: organiserEmail },
      attendee: { name: visitor?.name ?? "", email: visitor?.email ?? "" },
    },
  );
}

// Nothing says what it is about.
const TITLE = "Appointment";
