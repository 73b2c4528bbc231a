// Nobody is asked to take part before whoever came first has been heard, is safe, and agrees to it.
import { z } from "zod";
import {
  type CasePlace,
  type CaseStatus,
  ENDED_EARLY,
  firstMeetingWord,
  hasAnswered,
  isTakingPart,
  type PartyStatus,
  sideOf,
} from "./case-states.ts";
import type { CaseDomain } from "./case-transitions.ts";
import { idSchema } from "./ids.ts";
import { daySchema } from "./time.ts";

/** What a party who came first said of it that the others are contacted. */
export const contactAgreementSchema = z.object({
  isAgreed: z.boolean(),
  /** Whether the others may be told who asks. */
  isNamed: z.boolean(),
  on: daySchema,
  /** Since when they have agreed, where they did so again of somebody who joined. */
  since: daySchema.optional(),
  /** Who recorded it. */
  byName: z.string(),
});
export type ContactAgreement = z.infer<typeof contactAgreementSchema>;

export const recordContactAgreementSchema = z
  .strictObject({
    ...contactAgreementSchema.omit({ byName: true, since: true }).shape,
    id: idSchema,
    version: z.number().int().min(0),
    partyId: idSchema,
  })
  .refine(({ isAgreed, isNamed }) => isAgreed || !isNamed, {
    path: ["isNamed"],
    message: "Nobody is named to people who are not contacted",
  });

/** Where what is missing is recorded: the conflict check, a step of the party, their screening, or what they agree to. */
const GAP_KINDS = ["conflict", "step", "screening", "agreement"] as const;
const gapSchema = z.object({ kind: z.enum(GAP_KINDS), partyId: idSchema, text: z.string() });
export type InvitationGap = z.infer<typeof gapSchema>;
export const partyGapsSchema = z.object({ partyId: idSchema, gaps: z.array(gapSchema) });

interface First {
  /** What whoever came first has done by then. */
  hasCome: "met" | "spoken";
  /** Somebody who is no party may send all of them, such as an employer: then none came first. */
  isSentTogether: boolean;
}
const FIRST: Record<CaseDomain, First> = {
  family: { hasCome: "met", isSentTogether: false },
  workplace: { hasCome: "spoken", isSentTogether: true },
  civil: { hasCome: "spoken", isSentTogether: true },
  community: { hasCome: "spoken", isSentTogether: true },
  other: { hasCome: "spoken", isSentTogether: true },
};

export interface Contacting {
  partyId: string;
  label: string;
  side: string;
  role: "initiator" | "respondent" | "participant";
  status: PartyStatus;
  respondedOn: string;
  miamOn: string;
  contactAgreement: ContactAgreement | null;
  /** Null for those with whom the case began. */
  joinedAt: Date | string | null;
  /** They are invited by nothing but what is written and has not left. */
  isInvitationWaiting: boolean;
  /** As it is stored, with all steps, or as it is shown, with the last one. */
  steps?: readonly Step[] | undefined;
  lastStep?: Step | null | undefined;
}
interface Step {
  from: PartyStatus | CaseStatus;
  to: PartyStatus | CaseStatus;
  isOwnDecision?: boolean | null | undefined;
}

interface Asking<P> {
  domain: CaseDomain;
  status: CaseStatus;
  parties: readonly P[];
}

/** Those on whose behalf the others are asked: whoever came first, with everybody on their side. */
export function firstSide<P extends Contacting>(domain: CaseDomain, parties: readonly P[]): P[] {
  const initiators = parties.filter(({ role }) => role === "initiator");
  const first = initiators.length > 0 || FIRST[domain].isSentTogether ? initiators : parties.slice(0, 1);
  const sides = new Set(first.map(sideOf));
  return parties.filter((party) => sides.has(sideOf(party)));
}

interface Place extends CasePlace {
  domain: CaseDomain;
  /** The day on which the last round of the case was over: that somebody agreed before it counts no more. Empty where it has one. */
  over: string;
}

/** What whoever came first still has to do or say before this party is asked to take part. */
export function gapsBefore<P extends Contacting>(
  place: Place,
  parties: readonly P[],
  invited: Pick<P, "partyId" | "label" | "joinedAt">,
): InvitationGap[] {
  const first = firstSide(place.domain, parties);
  if (first.some(({ partyId }) => partyId === invited.partyId)) return [];
  const [gone] = first;
  if (gone && isForNobody(first, parties))
    return [
      { kind: "step", partyId: gone.partyId, text: `${gone.label} takes no part any more, so nobody is invited.` },
    ];
  return first.flatMap((party) => (isTakingPart(party) ? gapsOf(place, party, invited) : refusalOf(party)));
}

/** Whoever came first is gone, and nobody else has answered on whose behalf others could be asked. */
const isForNobody = (first: readonly Contacting[], parties: readonly Contacting[]): boolean =>
  first.length > 0 &&
  !first.some(isTakingPart) &&
  !parties.some((party) => !first.includes(party) && hasAnswered(party));

type Invited = Pick<Contacting, "label" | "joinedAt">;

function gapsOf(place: Place, party: Contacting, invited: Invited): InvitationGap[] {
  const { partyId, label, contactAgreement } = party;
  const gap = (kind: InvitationGap["kind"], text: string): InvitationGap => ({ kind, partyId, text });
  const come =
    FIRST[place.domain].hasCome === "met"
      ? `Record the ${firstMeetingWord(place)} of ${label}.`
      : `Record the first contact with ${label}.`;
  const isAsked = contactAgreement !== null;
  const isAskedAnew = isAsked && contactAgreement.on >= place.over;
  const saidLastTime = `${label} was asked before the case was reopened. Record whether they agree now that the others are contacted.`;
  const saidBefore = `${label} was asked before ${invited.label} joined. Record whether they agree that ${invited.label} is contacted.`;
  return [
    ...(hasCome(place.domain, party) ? [] : [gap("step", come)]),
    ...(isAsked ? [] : [gap("agreement", `Record whether ${label} agrees that the others are contacted.`)]),
    ...(isAsked && contactAgreement.isAgreed && !isAskedAnew ? [gap("agreement", saidLastTime)] : []),
    ...(isAskedAnew && !isAskedOf(party, invited) ? [gap("agreement", saidBefore)] : []),
    ...refusalOf(party),
  ];
}

/** Whether what they said was said of this party too: not of somebody who joined on a later day. */
export const isAskedOf = (
  { contactAgreement: said }: Pick<Contacting, "contactAgreement">,
  { joinedAt }: Pick<Contacting, "joinedAt">,
): boolean => said !== null && (joinedAt === null || said.on >= new Date(joinedAt).toISOString().slice(0, 10));

/** The first day on which they agreed without taking it back since; null where they do not. */
export const agreesSince = (said: ContactAgreement | null): string | null =>
  said?.isAgreed ? (said.since ?? said.on) : null;

/** What they said stands until they say otherwise, also when they have left. */
function refusalOf({ partyId, label, contactAgreement }: Contacting): InvitationGap[] {
  const text = `${label} does not agree that the others are contacted.`;
  return contactAgreement?.isAgreed === false ? [{ kind: "agreement", partyId, text }] : [];
}

const hasCome = (domain: CaseDomain, party: Contacting): boolean =>
  party.miamOn !== "" || (FIRST[domain].hasCome === "spoken" && (party.respondedOn !== "" || hasAnswered(party)));

/** Whoever came first may take back that the others are contacted, and stays heard when they leave. */
const isContactRefused = (domain: CaseDomain, parties: readonly Contacting[]): boolean =>
  firstSide(domain, parties).some(({ contactAgreement }) => contactAgreement?.isAgreed === false);

/**
 * Whether this party, of whom nobody has asked anything yet, is to hear nothing: whoever came first has not agreed to it,
 * is not safe, or is gone, or the case is over.
 */
export function isKeptUnasked<P extends Contacting>({ domain, status, parties }: Asking<P>, party: P): boolean {
  const first = firstSide(domain, parties);
  if (first.includes(party)) return isNewcomer(party) && isContactBarred(domain, parties);
  if (!isUnheard(party)) return false;
  if (isContactForbidden(domain, parties)) return true;
  const isUnsaid = first.some((each) => isTakingPart(each) && !isAskedOf(each, party));
  return !saidNo(party) && (isUnsaid || ENDED_EARLY.includes(status));
}

/** Whether nobody has asked this party anything yet, and they did not come or speak by themselves. */
export const isUnasked = <P extends Contacting>({ domain, parties }: Omit<Asking<P>, "status">, party: P): boolean =>
  (isNewcomer(party) || !firstSide(domain, parties).includes(party)) && isUnheard(party) && !saidNo(party);

/** Whether nothing has reached them, as far as anybody knows: what is only written invites nobody yet. */
const isUnheard = (party: Contacting): boolean =>
  party.status === "to_invite" || isOnlyWrittenTo(party) || isOnlyScreened(party) || hasLeftUnheard(party);

const isOnlyWrittenTo = (party: Contacting): boolean =>
  party.isInvitationWaiting && ["invited", "no_response"].includes(party.status) && neverCame(party);

/** Somebody who was added later came with nobody, also where they stand on the side of whoever came first. */
const isNewcomer = (party: Contacting): boolean =>
  party.joinedAt !== null && party.status === "to_invite" && neverCame(party);

/** Of whom only others say that they will not come, nobody knows that they ever heard of it. */
const saidNo = (party: Contacting): boolean => hasLeftUnheard(party) && saidSo(party);

const lastOf = ({ steps, lastStep }: Contacting): Step | null | undefined => steps?.at(-1) ?? lastStep;

const saidSo = (party: Contacting): boolean => lastOf(party)?.isOwnDecision === true;

/** Whether this party is to hear nothing because whoever came first said no, is not safe, or is gone. */
export const mustNotBeContacted = <P extends Contacting>(asking: Asking<P>, party: P): boolean =>
  isKeptUnasked(asking, party) && isContactForbidden(asking.domain, asking.parties);

/** Whether this step says that such a party came by themselves: from then on they are written to. */
export const cameUnasked = <P extends Contacting>(asking: Asking<P>, party: P, to: PartyStatus): boolean =>
  to === "responded" && mustNotBeContacted(asking, party);

/** They are out of it, and nothing says that they ever heard of it. */
const hasLeftUnheard = (party: Contacting): boolean =>
  ["withdrawn", "refused", "died"].includes(party.status) && neverCame(party);

/** A screening of somebody who was never asked is no coming of theirs. */
const isOnlyScreened = (party: Contacting): boolean =>
  party.status === "not_suitable" && neverCame(party) && lastOf(party)?.from === "to_invite";

/** Whether this party, who was asked and has not answered, is asked no more: whoever came first said no, or is not safe. */
export const isAskedNoMore = <P extends Contacting>(
  { domain, parties }: Omit<Asking<P>, "status">,
  party: P,
): boolean =>
  ["invited", "no_response"].includes(party.status) &&
  !firstSide(domain, parties).some(({ partyId }) => partyId === party.partyId) &&
  isContactBarred(domain, parties);

/** Whether they came to us: those with whom the case began on the first side, and whoever answered. That another service saw them is no coming. */
export const hasComeHere = <P extends Contacting>({ domain, parties }: Omit<Asking<P>, "status">, party: P): boolean =>
  hasAnswered(party) ||
  party.respondedOn !== "" ||
  (party.joinedAt === null && firstSide(domain, parties).some(({ partyId }) => partyId === party.partyId));

const neverCame = ({ respondedOn, miamOn }: Contacting): boolean => respondedOn === "" && miamOn === "";

/** Whether whoever came first said no, is not safe, or is gone: more than that nobody has asked them yet. */
export const isContactForbidden = (domain: CaseDomain, parties: readonly Contacting[]): boolean =>
  isForNobody(firstSide(domain, parties), parties) || isContactBarred(domain, parties);

/** Whether they said no, or are not safe: whoever else comes first later, that stands. */
export const isContactBarred = (domain: CaseDomain, parties: readonly Contacting[]): boolean =>
  isContactRefused(domain, parties) || firstSide(domain, parties).some(({ status }) => status === "not_suitable");

/** Whose wish the others may be told that it is. */
export const namedTo = <P extends Contacting>(domain: CaseDomain, parties: readonly P[]): P[] =>
  firstSide(domain, parties).filter((party) => isTakingPart(party) && party.contactAgreement?.isNamed === true);
