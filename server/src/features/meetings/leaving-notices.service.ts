// What parties are told of meetings is judged when it leaves: only what they are to know of it now goes to them.
import { isEndedByDeath } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { isRestricted, safeNow } from "@app/shared/clients";
import { isHolding } from "@app/shared/meeting-states";
import { forParty, NO_TIMES } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { getClient, visibleAmong } from "../clients/clients.service.ts";
import { NEUTRAL_TITLE } from "../clients/neutral-words.service.ts";
import { waysToReach } from "@app/shared/safe-channels";
import { carrierOf } from "../mail/mail-from.service.ts";
import { neutralPlaceOf } from "../mail/stand-in.service.ts";
import { type Notice, otherNotices } from "../outbox/notices.service.ts";
import type { Leaving, Staying } from "../outbox/outbox-delivery.service.ts";
import type { MailContent } from "../outbox/outbox.service.ts";
import { type ForParty, openFor, type Recipient, sealFor } from "../visibility/for-party.service.ts";
import { SCREENING_SAYS_NOT_YET } from "../screenings/screening-gates.service.ts";
import { type WhyNotAsked, whyNotAsked } from "./asked-to-come.ts";
import { chainOf } from "./meeting-chains.ts";
import { visitNow } from "./leaving-visits.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { hearingNow } from "./heard.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import { type Discretion, discretionFor, meetingFor, type PartyMeeting } from "./meetings.visibility.ts";
import { ownLinkOf } from "./own-links.service.ts";
import { failed, type LeavingMail, NEWER, OVER, superseded, UNTRUE } from "./staying.ts";
import { datesFor, toldBefore } from "./told-before.ts";
import { inviterOf, noticeOf, type NoticePurpose } from "./notice-words.ts";

const SAID = "The invitation, which still waits, says the same.";
const LEFT = "This person is not in the case any more, so they are not asked to come.";
const NEVER_SAID = "This person was never told of the appointment, so they need not know that it is off.";
const TOLD_ALREADY = "This person was told already that the appointment is off, and nothing else of it since.";
const KEPT_BACK =
  "No mail of the appointment reached this person. If somebody told them of it, tell them yourself that it is off.";
const UNTOLD =
  "The appointment was changed while this person was away from the case. Tell them yourself where and when it is, if they are to come.";
const ENDED =
  "The case ended after this was booked. Cancel the appointment in the calendar, or tell this person yourself.";
const ONE_SIDED =
  "Somebody who was to come has left the case, so there is nobody to mediate with. Change or cancel the appointment.";
const CONFLICT =
  "The conflict check of this case does not let the practice ask anybody to come. Decide it, or cancel the appointment.";
const KEPT =
  "Not everybody who was to come may be contacted as the case stands. Look at it, then change or cancel the appointment.";
const UNASKED = {
  ended: ENDED,
  screening: SCREENING_SAYS_NOT_YET,
  unasked: KEPT,
  conflict: CONFLICT,
  "one-sided": ONE_SIDED,
} as const satisfies Record<WhyNotAsked, string>;
const ARCHIVED = "This client is archived. Bring them back, or tell them yourself.";
const OF_BEFORE =
  "It was written before an update, and nobody can tell whether it is still true. Look at the calendar, and tell this person yourself.";

/** What this notice tells its party now, or why it tells them nothing. */
export async function noticeNow(mail: LeavingMail, content: MailContent): Promise<Leaving | Staying> {
  const { purpose, caseId, partyId, ownerId } = mail;
  const { meeting: written } = content;
  if (purpose === "letter") throw new Error(`mail ${mail._id} is no notice of a meeting`);
  if (content.visit) return visitNow(mail, content, content.visit);
  if (!written?.known || !caseId || !partyId) return failed(OF_BEFORE);
  const chain = await chainOf(ownerId, written.id, partyId);
  const meeting = chain.find(({ status }) => status !== "rescheduled");
  const [theCase] = await findVisibleCases(systemScope(ownerId), [caseId]);
  const party = theCase?.parties.find((one) => one.partyId === partyId);
  if (!meeting || !theCase || !party) return superseded(UNTRUE);
  const others = (await otherNotices(mail)).filter((one) => chain.some(({ _id }) => _id === one.meeting.id));
  const own = { purpose, meeting: written };
  if (others.some((other) => isNewer(other, own))) return superseded(NEWER);
  if (others.some((other) => saysTheSame(other, own))) return superseded(SAID);
  if (others.some((other) => goesBefore(other, own))) return { stays: "behind" };
  if (purpose === "cancellation" && isToldOff(others)) return superseded(TOLD_ALREADY);
  const hearing = purpose === "cancellation" ? await hearingNow({ meeting, party, theCase }) : "heard";
  if (hearing === "kept back") return failed(KEPT_BACK);
  if (hearing !== "heard") return superseded(NEVER_SAID);
  const known = (purpose === "cancellation" && lastHeard(others)) || written.known;
  return remade(mail, content, { meeting, theCase, party, purpose, known, sequence: written.sequence });
}

type Told = Pick<Notice, "purpose" | "meeting">;

const STANDS: readonly Notice["state"][] = ["queued", "sending", "sent", "uncertain", "bounced"];
const HEARD: readonly Notice["state"][] = ["sent", "uncertain"];
const MAY_HAVE_HEARD: readonly Notice["state"][] = ["sending", "sent", "uncertain", "bounced"];
const STILL_TO_COME: readonly Notice["state"][] = ["queued", "sending"];

const isNewer = (other: Notice, { meeting }: Told): boolean =>
  other.meeting.sequence > meeting.sequence && STANDS.includes(other.state);

/** An invitation that still waits needs no reminder beside it. */
const saysTheSame = (other: Notice, { purpose, meeting }: Told): boolean =>
  other.meeting.sequence === meeting.sequence &&
  purpose === "reminder" &&
  other.purpose === "invitation" &&
  STILL_TO_COME.includes(other.state);

/** What the newest that left to them says of it: a time that they never heard of is not theirs to know. */
const lastHeard = (others: readonly Notice[]) =>
  others
    .filter(({ purpose, state }) => purpose !== "cancellation" && HEARD.includes(state))
    .toSorted((one, other) => one.meeting.sequence - other.meeting.sequence)
    .at(-1)?.meeting.known;

/** The last that left to them says that it is off: whoever was asked again since, and heard nothing of that, knows no other. */
function isToldOff(others: readonly Notice[]): boolean {
  const newest = (told: readonly Notice[]) => Math.max(-1, ...told.map(({ meeting }) => meeting.sequence));
  const isOff = ({ purpose }: Notice) => purpose === "cancellation";
  const off = others.filter((one) => isOff(one) && one.state === "sent");
  return newest(off) > newest(others.filter((one) => !isOff(one) && MAY_HAVE_HEARD.includes(one.state)));
}

/** Another process is just sending it: what is newer arrives after it. */
const goesBefore = (other: Notice, { meeting }: Told): boolean =>
  other.state === "sending" && other.meeting.sequence <= meeting.sequence;

interface Facts {
  meeting: MeetingDoc;
  theCase: Case;
  party: Case["parties"][number];
  purpose: NoticePurpose;
  /** What it told when it was written. */
  known: NonNullable<NonNullable<MailContent["meeting"]>["known"]>;
  sequence: number;
}

/** In words for whom it is for, by the mailbox by which it leaves. */
async function remade(mail: LeavingMail, content: MailContent, facts: Facts): Promise<Leaving | Staying> {
  const { ownerId, createdBy } = mail;
  const { meeting, party, purpose } = facts;
  const scope = systemScope(ownerId);
  if (!(await visibleAmong(scope, [party.clientId])).has(party.clientId)) return superseded(UNTRUE);
  const client = await getClient(scope, party.clientId);
  const isAsked = purpose !== "cancellation";
  if (isEndedByDeath(facts.theCase)) return failed(ENDED);
  const unasked = isAsked && (await whyNotAsked(scope, facts.theCase, meeting));
  if (unasked) return failed(UNASKED[unasked]);
  if (isAsked && client.status === "archived") return failed(ARCHIVED);
  const own = toldNow(facts, await discretionFor(scope, facts.theCase.id, isRestricted(safeNow(client))));
  if ("stays" in own) return own;
  if (!client.email) return failed(`No email address is known. ${waysToReach(safeNow(client))}`);
  const sender = await inviterOf(meeting, client);
  const { address: organiserEmail } = await carrierOf({ userId: createdBy, ownerId });
  const words = noticeOf(openFor(own, { caseId: facts.theCase.id, partyId: party.partyId }), {
    meeting,
    party,
    client,
    purpose,
    sender,
    organiserEmail,
    dates: await datesFor(facts),
    before: await toldBefore({ meeting, party, caseId: facts.theCase.id }),
    ownLink: await ownLinkOf(meeting, party.partyId),
  });
  // The address is theirs as things stand now, whosever it was when this was written.
  return { content: { ...content, ...words, expected: [] }, answers: [] };
}

/** Their part of the meeting as it is; of one that does not take place for them, as they knew it. */
function toldNow(facts: Facts, discretion: Discretion): ForParty<PartyMeeting> | Staying {
  const { meeting, theCase, party, purpose, known, sequence } = facts;
  const { partyId } = party;
  const to: Recipient = { theCase, partyId };
  const isComing = meeting.partyIds.includes(partyId) && isHolding(meeting.status);
  if (purpose === "cancellation") return isComing ? superseded(UNTRUE) : asTheyKnewIt(to, meeting, known, discretion);
  const isOfAnother = purpose === "reminder" && entryOf(meeting, partyId).sequence !== sequence;
  if (!isComing || isOfAnother) return superseded(UNTRUE);
  const told = meetingFor(meeting, to, discretion);
  if (!told?.isFollowing) return party.leftAt === null ? failed(UNTOLD) : superseded(LEFT);
  return openFor(told.own, { partyId }).startsAt <= now() ? failed(OVER) : told.own;
}

function asTheyKnewIt(
  to: Recipient,
  { _id }: MeetingDoc,
  { title, startsAt, endsAt, location }: Facts["known"],
  { unnamed }: Discretion,
): ForParty<PartyMeeting> {
  const visibility = forParty(to.partyId);
  const own = {
    id: _id,
    title: unnamed === null ? title : NEUTRAL_TITLE,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    location: unnamed === null ? location : neutralPlaceOf(unnamed, location),
    people: [],
    change: "",
    visibility,
  };
  return sealFor(to, own, [{ visibility, ...NO_TIMES }]);
}
