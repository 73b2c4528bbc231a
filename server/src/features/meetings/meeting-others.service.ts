// Who comes to a meeting beside its parties and mediators. Whoever comes for one party is nobody's else to know of.
import type { Case } from "@app/shared/cases";
import { type BookedOther, isBookedOnce, OTHER_ROLE_NAMES } from "@app/shared/meeting-others";
import type { CreateMeeting } from "@app/shared/meetings";
import mongoose from "mongoose";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { sidesOf, sidesOfCases } from "../cases/case-sides.service.ts";
import { contactsInCases, sidesInCase } from "../contacts/contact-sides.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

interface Planned extends Pick<CreateMeeting, "partyIds" | "mediatorIds"> {
  others: CreateMeeting["others"];
}

/** What is stored of these people. Those whom the meeting had `before` keep their names and whether they came. */
export async function othersFor(
  scope: Scope,
  theCase: Case | null,
  { others, partyIds, mediatorIds }: Planned,
  before: readonly BookedOther[] = [],
): Promise<BookedOther[]> {
  if (others.length === 0) return [];
  for (const { signedOn } of others) await assertNotLater(scope, "others", signedOn);
  const people = await peopleOf(scope, theCase);
  const signed = theCase ? await signedIn(scope, theCase.id) : new Map<string, string>();
  return others.map((other) => {
    const known = before.find(({ personId }) => personId === other.personId);
    const places = people.filter(({ kind, personId }) => kind === other.kind && personId === other.personId);
    const name = known?.name ?? places[0]?.name;
    if (!name) throw badField("others", "Choose contacts of this case or colleagues of yours.");
    if (mediatorIds.includes(other.personId))
      throw badField("others", `${name} leads this meeting. Name each person once.`);
    if (other.partyId !== null && !partyIds.includes(other.partyId))
      throw badField("others", `${name} is to come for somebody who does not come. Choose again whom they come for.`);
    if (known?.partyId !== other.partyId) assertSide(name, places, other.partyId);
    // Whoever signed for this case did so for each of its meetings.
    const signedOn = other.signedOn || (known ? "" : (signed.get(other.personId) ?? ""));
    return { ...other, signedOn, name, attendance: known?.attendance ?? null };
  });
}

const ofCase = ({ ownerId }: Pick<Scope, "ownerId">, caseId: string): Promise<MeetingDoc[]> =>
  MeetingModel.find({ ownerId, caseId, "others.0": mongoose.trusted({ $exists: true }) }).lean();

/** The first day on which each of those who come beside the parties is recorded to have signed in this case. */
async function signedIn(scope: Scope, caseId: string): Promise<Map<string, string>> {
  const others = (await ofCase(scope, caseId)).flatMap((meeting) => meeting.others);
  const signed = others.filter(({ signedOn }) => signedOn !== "");
  const latestFirst = signed.toSorted((one, other) => other.signedOn.localeCompare(one.signedOn));
  return new Map(latestFirst.map(({ personId, signedOn }) => [personId, signedOn]));
}

/** In its transaction: what is noted of whether somebody signed stands at the other meetings of the case that say the same, or nothing. */
export async function noteSigning(
  scope: Scope,
  { _id, caseId }: Pick<MeetingDoc, "_id" | "caseId">,
  { personId, before, signedOn }: { personId: string; before: string; signedOn: string },
): Promise<void> {
  if (caseId === null || signedOn === before) return;
  const { ownerId } = scope;
  for (const meeting of await ofCase(scope, caseId)) {
    const isSame = (one: BookedOther) => one.personId === personId && (one.signedOn === "" || one.signedOn === before);
    if (meeting._id === _id || !meeting.others.some(isSame)) continue;
    const others = meeting.others.map((one) => (isSame(one) ? { ...one, signedOn } : one));
    await MeetingModel.updateOne(
      { ownerId, _id: meeting._id, version: meeting.version },
      { $set: { others }, $inc: { version: 1 } },
    );
  }
}

interface Place {
  kind: "contact" | "colleague";
  personId: string;
  name: string;
  /** On whose side they stand in the case; null where on nobody's. */
  partyId: string | null;
}

/**
 * A contact comes for whom they stand in the case, and for nobody else: that alone says whose mail and files reach them,
 * and who never hears of them.
 */
function assertSide(name: string, places: readonly Place[], partyId: string | null): void {
  if (places.some((place) => place.kind === "colleague" || place.partyId === partyId)) return;
  const where = places.every((place) => place.partyId === null) ? "on nobody’s side" : "on one side only";
  throw badField(
    "others",
    `In this case ${name} stands ${where}. Choose whom they come for, or change their place in the case first.`,
  );
}

async function peopleOf(scope: Scope, theCase: Case | null): Promise<Place[]> {
  const staff = (await colleagues(scope.ownerId))
    .filter(({ isActive }) => isActive)
    .map(({ userId, name }) => ({ kind: "colleague" as const, personId: userId, name, partyId: null }));
  if (!theCase) return staff;
  const contacts = (await contactsInCases(scope.ownerId, [sidesOf(theCase)])).get(theCase.id) ?? [];
  return [
    ...staff,
    ...contacts.map(({ id, name, partyId }) => ({ kind: "contact" as const, personId: id, name, partyId })),
  ];
}

/** Who and what comes, with the words for it, and whether they can be in this meeting alone at its time. */
export const heldBy = ({ rooms, others }: Pick<MeetingDoc, "rooms" | "others">) => [
  ...rooms.map(({ roomId, name }) => ({ id: roomId, name, field: "rooms" as const, isHeld: true })),
  ...others.map((other) => ({
    id: other.personId,
    name: other.name,
    field: "others" as const,
    isHeld: isBookedOnce(other),
  })),
];

/** What nothing else can have at this time. */
export const heldIdsOf = (meeting: Pick<MeetingDoc, "rooms" | "others">): string[] =>
  heldBy(meeting).flatMap(({ id, isHeld }) => (isHeld ? [id] : []));

const inWords = ({ name, role }: BookedOther): string => `${name} (${OTHER_ROLE_NAMES[role].toLowerCase()})`;

/** For whom each contact stands in a case, or stood last, by the contact's id; null is for nobody. */
export type Standing = ReadonlyMap<string, readonly (string | null)[]>;

export async function standingIn({ ownerId }: Pick<Scope, "ownerId">, caseId: string): Promise<Standing> {
  const [sides] = await sidesOfCases(ownerId, { caseIds: [caseId], clientIds: [], contactIds: [] });
  return sides ? sidesInCase(ownerId, sides) : new Map();
}

/**
 * Who comes for this party or for all, in words: never somebody of another side, nor who stands on another side alone by
 * now, whomever they were to come for.
 */
export const othersOfParty = (others: readonly BookedOther[], partyId: string, standing: Standing): string[] =>
  others
    .filter((other) => other.partyId === null || other.partyId === partyId)
    .filter(({ personId }) => standing.get(personId)?.some((side) => side === null || side === partyId) ?? true)
    .map(inWords);

/** Those who did not sign the confidentiality agreement yet, or not until this day. */
export const unsigned = (others: readonly BookedOther[], until?: string): string[] =>
  others.filter(({ signedOn }) => signedOn === "" || (until !== undefined && signedOn > until)).map(inWords);

/** Those of whom nobody noted whether they came. */
export const unmarked = (others: readonly BookedOther[]): string[] =>
  others.filter(({ attendance }) => attendance === null).map(inWords);

/** Those who go on coming where nothing was said of them. */
export const keptOthers = (others: readonly BookedOther[], { partyIds, mediatorIds }: Omit<Planned, "others">) =>
  others.filter(
    ({ personId, partyId }) => !mediatorIds.includes(personId) && (partyId === null || partyIds.includes(partyId)),
  );
