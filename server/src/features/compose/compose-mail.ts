// A mail with everything that was found about it: who gets it, what it holds, and whose eyes that is for.
import { isRestricted } from "@app/shared/clients";
import { samePerson } from "@app/shared/email-address";
import { type MailDraft, MAIL_FILES_MAX_BYTES } from "@app/shared/mail-check";
import { type MergeValues, resolveLine, resolveMergeFields } from "@app/shared/merge-fields";
import { isEmptyRichText, type RichText } from "@app/shared/rich-text";
import { forParty, mayPartyRead, NO_TIMES, PRACTICE_ONLY, type Readable } from "@app/shared/visibility";
import type { Names } from "../mail/gate-words.service.ts";
import type { Answered, GateProblem } from "../mail/outgoing-gate.service.ts";
import { standInOf } from "../mail/stand-in.service.ts";
import type { MailFrom } from "../mail/mail-from.service.ts";
import { type Facts, HIDDEN_ROLE, type Known, personAt, type Place } from "./compose-context.ts";
import { readableOf } from "../files/party-files.service.ts";
import type { AttachedFile } from "./compose-files.ts";
import type { ComingMeeting } from "../meetings/meeting-invitations.service.ts";

/** By what a mail of this person would leave. */
export interface Way {
  /** The connected mailbox; null where there is none. */
  mailbox: MailFrom | null;
  hasFallback: boolean;
}

export interface Gathered {
  draft: MailDraft;
  facts: Facts;
  files: AttachedFile[];
  /** What the gate would say of it now. */
  blocked: GateProblem[];
  /** Whom it reaches outside the case: neither parties nor those who represent them. */
  outside: string[];
  /** Whether the reader may be told who these people are. */
  names: Names;
  /** The mails that this one answers. */
  answers: Answered[];
  /** False where nobody can look them up now. */
  areAnswersKnown: boolean;
  way: Way;
}

export interface Addressee {
  name: string;
  address: string;
  known: Known | undefined;
}

/** A mail as it would leave, with everything that was found about it. */
export interface Examined extends Gathered {
  to: Addressee[];
  cc: Addressee[];
  firstName: string;
  subject: string;
  body: RichText;
  missing: string[];
  /** What its fields say, by field. */
  said: MergeValues;
  meeting: ComingMeeting | null;
  isNeutral: boolean;
}

export function examine(gathered: Gathered): Examined {
  const { draft, facts } = gathered;
  const isNeutral = isRestricted(facts.client.safeContact);
  const subject = resolveLine(draft.subject, facts.values);
  const body = resolveMergeFields(draft.body, facts.values);
  return {
    ...gathered,
    to: draft.to.map((one) => addressee(facts, one)),
    cc: draft.cc.map((one) => addressee(facts, one)),
    firstName: facts.client.knownAs || facts.client.firstName || facts.client.organisation,
    // Whoever looks over this person's shoulder learns from the subject that somebody wrote, and nothing else.
    subject: isNeutral && draft.subject ? standInOf(facts.practiceName, facts.senderName).subject : subject.content,
    body: body.content,
    missing: [...new Set([...(isNeutral ? [] : subject.missing), ...body.missing])],
    said: isNeutral ? body.said : { ...subject.said, ...body.said },
    meeting: facts.meetings.find(({ doc }) => doc._id === draft.meetingId) ?? null,
    isNeutral,
  };
}

function addressee(facts: Facts, { name, address }: { name: string; address: string }): Addressee {
  const known = personAt(facts, address);
  // What a person typed as a name is theirs to choose, unless we know who it is and they may know it too.
  return { name: known && known.role !== HIDDEN_ROLE ? known.name : name, address, known };
}

/**
 * Whether the gate lets a mail through to this address. Of somebody whom whoever writes may not see it says no for
 * every reason alike.
 */
export const mayReceive = (
  mail: Pick<Gathered, "blocked" | "names">,
  { address }: Pick<Addressee, "address">,
): boolean =>
  !mail.blocked.some(
    (problem) => (problem.code === "other_party" || isWithheld(mail, problem)) && samePerson(problem.address, address),
  );

/** Whether this tells of somebody whom whoever writes may not see. */
export const isWithheld = ({ names }: Pick<Gathered, "names">, { person }: GateProblem): boolean =>
  person !== null && !names(person);

export const isClient = (
  { facts: { client } }: Pick<Examined, "facts">,
  { address }: Pick<Addressee, "address">,
): boolean => samePerson(address, client.email);

/** Whether a file may go: it is of this case, or of this client where there is none, and whoever gets it may read it. */
export function mayGo({ draft, facts }: { draft: Place; facts: Pick<Facts, "party"> }, { doc }: AttachedFile): boolean {
  if (!doc || doc.deletedAt) return false;
  const isFromHere = doc.caseId ? doc.caseId === draft.caseId : doc.clientId === draft.clientId;
  if (!isFromHere) return false;
  if (!facts.party) return doc.visibility.scope === "shared";
  return mayPartyRead(readableOf(doc), facts.party);
}

/** Everything in it, with whose eyes it is for; what is quoted is another party's only in a case. */
export function partsOf({ facts: { party }, files, answers }: Examined): Readable[] {
  const attached = files.map(({ doc }) => (doc ? readableOf(doc) : { visibility: PRACTICE_ONLY, ...NO_TIMES }));
  const answered = answers.flatMap(({ partyId }) =>
    party && partyId ? [{ visibility: forParty(partyId), ...NO_TIMES }] : [],
  );
  return [...attached, ...answered];
}

export const isTooLarge = ({ files }: Pick<Gathered, "files">): boolean =>
  files.reduce((sum, { doc }) => sum + (doc?.sizeBytes ?? 0), 0) > MAIL_FILES_MAX_BYTES;

export const isBlank = ({ draft }: Pick<Gathered, "draft">): boolean => isEmptyRichText(draft.body);
