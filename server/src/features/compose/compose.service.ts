// A mail that somebody writes to a client: what may be chosen, whether it may go, and its way into the outbox. The
// check that is shown while somebody writes is the very one that sending asks.
import type { z } from "zod";
import { isRestricted } from "@app/shared/clients";
import {
  type MailCheck,
  type MailDraft,
  type MailStart,
  SEND_LATER_DAYS_MAX,
  type sendLetterSchema,
  UNDO_SECONDS,
} from "@app/shared/mail-check";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { keptPlaces } from "../files/kept-copies.service.ts";
import { plainText, type RichText } from "@app/shared/rich-text";
import { richTextHtml } from "@app/shared/rich-text-html";
import { dayIn } from "@app/shared/days";
import { DAY_MS, now, SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, tooManyRequests } from "../../core/errors.ts";
import { describePause } from "../../core/rate-limit.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import type { Scope } from "../../core/trpc.ts";
import { invitationOf, noteWritten } from "../meetings/meeting-invitations.service.ts";
import { partyLeak } from "../visibility/party-leak.service.ts";
import { entryOf } from "../meetings/meeting-uids.service.ts";
import { type ForParty, openFor, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import { checkOf } from "./compose-check.ts";
import { findDraft, sendDraft } from "./compose-drafts.service.ts";
import { type Facts, factsOf, type Place } from "./compose-context.ts";
import { attachedFiles } from "./compose-files.ts";
import { mayGo, examine, type Examined, isClient, partsOf, type Way } from "./compose-mail.ts";
import { problemsOf } from "./compose-problems.ts";
import { quotedBy, recentlyQuotedBy } from "../inbox/quoted-mail.service.ts";
import { directoryOf } from "../mail/gate.service.ts";
import { namesFor } from "../mail/gate-words.service.ts";
import type { KeptFile } from "../mail/gate-files.service.ts";
import { outsideOf, problemsOf as problemsOfLetter } from "../mail/outgoing-gate.service.ts";
import { standInOf } from "../mail/stand-in.service.ts";
import { inviteByMail } from "../ladders/attempts.service.ts";
import { mailboxFor } from "../mail/mail-from.service.ts";
import { isFallbackConfigured } from "../mail/mail.service.ts";
import { type NewMailContent, queueMail } from "../outbox/outbox.service.ts";
import { toldNames } from "../outbox/told-names.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { isMailConfigured } from "../mail/system-mail.service.ts";
import { senderAddress } from "../mail/sender-address.service.ts";

const wayOf = async (scope: Scope): Promise<Way> => ({
  mailbox: await mailboxFor(scope),
  hasFallback: isFallbackConfigured(),
});

/** What there is to choose from when somebody begins to write. */
export async function startMail(scope: Scope, place: Place): Promise<MailStart> {
  const facts = await factsOf(scope, place);
  const way = await wayOf(scope);
  return {
    clientName: facts.client.displayName,
    caseRef: facts.theCase?.caseRef ?? "",
    parties: (facts.theCase?.parties ?? []).map(({ partyId, label, name }) => ({
      partyId,
      label,
      name,
      domain: facts.theCase?.domain ?? "other",
    })),
    ...fromOf(facts, way),
    choices: choicesOf(facts),
    meetings: facts.meetings.map(({ own }) => {
      const { id, title, startsAt } = openFor(own, { clientId: place.clientId });
      return { id, title, startsAt: startsAt.toISOString() };
    }),
    values: facts.values,
    draft: await findDraft(scope, place),
  };
}

function fromOf({ client, senderName, practiceName }: Facts, { mailbox }: Way) {
  const name = isRestricted(client.safeContact) ? standInOf(practiceName, senderName).name : practiceName;
  if (mailbox)
    return { from: mailbox.address, fromDetail: mailbox.isOwn ? "own mailbox, connected" : "mailbox of the practice" };
  return isMailConfigured()
    ? { from: senderAddress(), fromDetail: `for ${name}, no mailbox connected` }
    : { from: name, fromDetail: "no mailbox connected" };
}

/** Each address once; nobody of another case. */
function choicesOf({ known }: Facts): MailStart["choices"] {
  const shown = known.filter(({ label, role, isOtherParty }) => !isOtherParty || label !== "" || role === "");
  return shown.filter(({ address }, index) => shown.findIndex((one) => one.address === address) === index);
}

/** As the gate has to know of it; that one does not go at all is said of the file. */
const keptOf = (
  { ownerId }: Scope,
  draft: MailDraft,
  { facts, files }: Pick<Examined, "facts" | "files">,
): Promise<KeptFile[][]> =>
  keptPlaces(
    ownerId,
    files.flatMap((file) => (file.doc !== null && mayGo({ draft, facts }, file) ? [file.doc] : [])),
  );

async function gather(
  scope: Scope,
  draft: MailDraft,
  { lookUp = quotedBy, leavesAt }: { lookUp?: typeof quotedBy; leavesAt?: Date } = {},
): Promise<Examined> {
  const facts = await factsOf(scope, draft, leavesAt);
  const files = await attachedFiles(scope, draft.fileIds);
  const quoted = await lookUp(scope, draft);
  const { blocked, outside } = await blockedBy(scope, draft, { facts, files, answers: quoted.answers });
  const names = await namesFor(scope, blocked);
  const way = await wayOf(scope);
  const { answers, isComplete } = quoted;
  return examine({ draft, facts, files, answers, areAnswersKnown: isComplete, blocked, outside, names, way });
}

/** What the outgoing gate would say of this mail now; it says so again when it leaves. */
async function blockedBy(
  scope: Scope,
  draft: MailDraft,
  { facts, files, answers }: Pick<Examined, "facts" | "files" | "answers">,
): Promise<Pick<Examined, "blocked" | "outside">> {
  const { theCase, party } = facts;
  const letter = {
    mail: { to: draft.to.map(({ address }) => address), cc: draft.cc.map(({ address }) => address) },
    clientId: draft.clientId,
    party: theCase && party ? { caseId: theCase.id, partyId: party.partyId } : null,
    answers,
    keptFiles: await keptOf(scope, draft, { facts, files }),
    saysNothingTo: draft.saysNothingTo ?? [],
    senderName: scope.userName,
  };
  const directory = await directoryOf(scope.ownerId, [letter]);
  return { blocked: problemsOfLetter(directory, letter), outside: outsideOf(directory, letter) };
}

/** What keeps this mail from leaving, and what to know of it. */
export const checkMail = async (scope: Scope, draft: MailDraft): Promise<MailCheck> =>
  checkOf(await gather(scope, draft, { lookUp: recentlyQuotedBy }));

/**
 * Stores a mail for delivery, so late that it can still be taken back. Throws FORBIDDEN (PARTY_LEAK) where it would
 * reach or hold what is another party's, and BAD_REQUEST for everything else that the check finds.
 */
export async function sendLetter(
  scope: Scope,
  { sendAt, kept, ...draft }: z.output<typeof sendLetterSchema>,
  sender = scope,
): Promise<{ id: string; dueAt: string }> {
  const dueAt = dueOf(sendAt);
  const mail = await gather(scope, draft, { leavesAt: dueAt });
  refuse(mail);
  const content = contentOfMail(mail);
  await keepPace(scope);
  const { id } = await inTransaction(async () => {
    const { theCase, party } = mail.facts;
    if (theCase && party) await assertStillParties(scope.ownerId, theCase.id, [party.partyId]);
    const told = { names: toldNames(namesOf(mail), draft), actorName: scope.userName };
    const queued = await queueMail(sender, {
      purpose: "letter",
      content: sealed(mail, { ...content, told }),
      dueAt,
      isScheduled: sendAt !== null,
      ...(sender === scope ? {} : { writtenBy: scope.userId }),
    });
    if (content.meeting) await noteWritten(scope.ownerId, content.meeting.id);
    if (draft.isInvitation) await noteInvitation(scope, mail, { mailId: queued.id, content, dueAt });
    if (kept) await sendDraft(scope, draft, kept);
    return queued;
  });
  return { id, dueAt: dueAt.toISOString() };
}

/** The words of an attempt are those that leave. */
async function noteInvitation(
  scope: Scope,
  { facts: { theCase, party } }: Examined,
  { mailId, content: { subject, text }, dueAt }: { mailId: string; content: NewMailContent; dueAt: Date },
): Promise<void> {
  if (!theCase || !party) throw badField("to", "Only a party of a case can be invited. Write from the case.");
  const on = dayIn(await practiceTimeZone(scope.ownerId), dueAt);
  await inviteByMail(scope, {
    caseId: theCase.id,
    partyId: party.partyId,
    mailId,
    on,
    wording: `${subject}\n\n${text}`,
  });
}

/** Whoever writes each letter by hand never sees this; many at once are a mailing, which has a pace of its own. */
const LETTERS: Bucket = { size: 60, everyMs: 30 * SECOND_MS };

async function keepPace({ userId }: Scope): Promise<void> {
  const { isTaken, waitMs } = await takeToken(`letters:${userId}`, LETTERS);
  if (isTaken) return;
  throw tooManyRequests(
    `You have written very many letters in a short time. Try again in ${describePause(waitMs)}. To write to many people at once, use a mailing.`,
  );
}

function dueOf(sendAt: string | null): Date {
  if (!sendAt) return new Date(now().getTime() + UNDO_SECONDS * SECOND_MS);
  const dueAt = new Date(sendAt);
  if (dueAt <= now()) throw badField("sendAt", "This time is over. Choose a later one, or send it now.");
  if (dueAt.getTime() > now().getTime() + SEND_LATER_DAYS_MAX * DAY_MS)
    throw badField("sendAt", "Choose a time within a year.");
  return dueAt;
}

const LEAKS: ReadonlySet<string> = new Set(["other_party", "file"]);

function refuse(mail: Examined): void {
  const problems = problemsOf(mail);
  const [first] = problems;
  if (!first) return;
  const text = problems.map(({ title, detail }) => `${title} ${detail}`).join(" ");
  if (problems.some(({ code }) => LEAKS.has(code))) throw partyLeak(text);
  throw badField(first.code, text);
}

/** The mail for whom it is written to, as a party of their case or apart from all. */
function sealed(mail: Examined, content: NewMailContent): ForParty<NewMailContent> {
  const { theCase, party, client } = mail.facts;
  const parts = partsOf(mail);
  return theCase && party
    ? sealFor({ theCase, partyId: party.partyId }, content, parts)
    : sealForNoParty(client.id, content, parts);
}

function contentOfMail(mail: Examined): NewMailContent {
  const { draft, facts, to, cc, files, meeting, body, subject, said, isNeutral, way } = mail;
  const [first, ...others] = to;
  if (!first) throw badField("to", "Choose at least one address under To.");
  const organiserEmail = way.mailbox?.address || senderAddress();
  const calendar =
    meeting && facts.party
      ? [
          openFor(invitationOf(meeting, { ...facts, party: facts.party, email: first.address, organiserEmail }), {
            clientId: draft.clientId,
          }),
        ]
      : [];
  return {
    toName: isClient(mail, first) ? facts.client.displayName : first.name,
    to: first.address,
    alsoTo: others.map(({ address }) => address),
    cc: cc.map(({ address }) => address),
    subject,
    text: textOf(body),
    html: richTextHtml(body),
    attachments: calendar,
    meeting:
      meeting && facts.party
        ? { id: meeting.doc._id, sequence: entryOf(meeting.doc, facts.party.partyId).sequence }
        : null,
    said,
    files: files.flatMap(({ id, doc }) => (doc ? [{ fileId: id, name: doc.name, mime: doc.mime }] : [])),
    fromName: isNeutral ? standInOf(facts.practiceName, facts.senderName).name : "",
    inReplyTo: draft.inReplyTo,
    references: draft.references,
    saysNothingTo: mail.outside,
    answers: mail.answers.map((one) => ({ ...one, addresses: [...one.addresses] })),
  };
}

/** What stands beside the HTML: a blank line between paragraphs, as people write in plain text. */
const textOf = ({ content = [] }: RichText): string =>
  content
    .map((block) => plainText({ type: "doc", content: [block] }))
    .join("\n\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

const namesOf = ({ to, cc }: Examined): string[] => [...to, ...cc].map(({ name, address }) => name || address);
