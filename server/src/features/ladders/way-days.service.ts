// No day is recorded of a party's way that contradicts the others: one that cannot have come before or after them.
import { labelsOf } from "@app/shared/agreement-gates";
import { agreesSince, firstSide } from "@app/shared/contact-agreements";
import {
  type Bound,
  earliestOf,
  latestOf,
  type WayDay,
  wayDayName,
  type WayDays,
  wayDayOf,
  wayDaysOf,
} from "@app/shared/way-days";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { daysInvited } from "./follow-ups.ts";

interface Recorded {
  theCase: Pick<CaseDoc, "_id" | "domain" | "parties">;
  party: PartyDoc;
  what: WayDay;
  field: string;
  on: string;
}

/** BAD_REQUEST at this field where something else of this party's way cannot have come after it. */
export async function assertInOrder(scope: Scope, { theCase, party, what, field, on }: Recorded): Promise<void> {
  const bound = earliestOf(what, await daysOf(scope, theCase, party));
  if (bound && on < bound.on) throw badField(field, await tooEarly(scope, { theCase, party }, bound));
}

/** The same of a day that is corrected: it contradicts nothing that the day before did not contradict. */
export async function assertStillInOrder(scope: Scope, recorded: Recorded & { before: string }): Promise<void> {
  const { theCase, party, what, field, on, before } = recorded;
  // An answer ended the invitations of before: they are what it answered.
  const index = party.steps.findLastIndex(({ to }) => wayDayOf(to) === what);
  const days = await daysOf(scope, theCase, party, index === -1 ? party.steps : party.steps.slice(0, index));
  const [earliest, latest] = [earliestOf(what, days), latestOf(what, days)];
  if (earliest && on < earliest.on && before >= earliest.on)
    throw badField(field, await tooEarly(scope, { theCase, party }, earliest));
  if (latest && on > latest.on && before <= latest.on) throw badField(field, await tooLate(scope, party, latest));
}

async function daysOf(
  scope: Scope,
  theCase: Recorded["theCase"],
  party: PartyDoc,
  steps = party.steps,
): Promise<WayDays> {
  const invited = await daysInvited(scope, { caseId: theCase._id, partyId: party.partyId }, { steps });
  return wayDaysOf({ theCase, party, invited, leftOn: lastStepOf(party)?.on ?? "" });
}

async function tooEarly(
  scope: Scope,
  { theCase, party }: Pick<Recorded, "theCase" | "party">,
  { what, on }: Bound,
): Promise<string> {
  const day = (await practiceDates(scope.ownerId)).calendarDay(on);
  const others = agreeingOn(theCase, party, on);
  const whose = what === "contact_agreed" && others.length > 0 ? labelsOf(others) : party.label;
  return `This cannot be before ${day}, when ${wayDayName(what)} (${whose}). Enter that day or a later one, or correct that day first.`;
}

/** Who agreed on this day that this party is contacted. */
const agreeingOn = ({ domain, parties }: Recorded["theCase"], { partyId }: PartyDoc, on: string): PartyDoc[] =>
  firstSide(domain, parties).filter((one) => one.partyId !== partyId && agreesSince(one.contactAgreement) === on);

async function tooLate(scope: Scope, { label }: PartyDoc, { what, on }: Bound): Promise<string> {
  const day = (await practiceDates(scope.ownerId)).calendarDay(on);
  return `This cannot be after ${day}, when ${wayDayName(what)} (${label}). Enter that day or an earlier one, or correct that day first.`;
}
