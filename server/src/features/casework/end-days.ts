// On which day mediation ended: not before what ended it.
import { can } from "@app/shared/access";
import { isAssessing, mediates } from "@app/shared/case-sessions";
import type { CaseStatus, Ending } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import { isInvitation } from "@app/shared/ladders";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertInCase } from "../cases/case-days.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { lastRoundOver } from "../cases/reopened.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { listAttempts } from "../ladders/attempts.service.ts";
import { meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { foundElsewhereIn } from "../screenings/found-elsewhere.service.ts";
import { foundUnsafe } from "../screenings/screening-gates.service.ts";
import { heldSessions } from "../sessions/session-facts.service.ts";
import { daysOf } from "./ending-grounds.ts";
import { agreementsOf, type Deed, deedsToldOf } from "./party-deeds.ts";

type OfCase = Pick<CaseDoc, "_id" | "parties" | "startedOn" | "createdAt" | "rounds">;

/**
 * Mediation ends on a day that has come, in its case, with no session after it, and not before what ended it, nor before
 * it had ended the last time.
 */
export async function assertEndDay(
  scope: Scope,
  theCase: OfCase,
  { to, ending, endedOn }: { to: CaseStatus; ending: Ending | null; endedOn: string },
): Promise<void> {
  await assertInCase(scope, theCase, "endedOn", endedOn);
  if (endedOn === "") return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  const over = await lastRoundOver(scope, theCase);
  if (endedOn < over)
    throw badField(
      "endedOn",
      `This case had ended on ${calendarDay(over)} before it was reopened. Enter that day, or a later one.`,
    );
  const cause = ending && (await causeOf(scope, theCase, { ending, endedOn }));
  if (cause && endedOn < cause.on)
    throw badField("endedOn", `${cause.what(calendarDay(cause.on))} Enter that day, or a later one.`);
  const done = await doneIn(scope, theCase, to);
  const after = done.filter(({ on }) => on > endedOn).toSorted((one, other) => other.on.localeCompare(one.on))[0];
  if (!after) return;
  throw badField("endedOn", `${after.what} on ${calendarDay(after.on)}. Enter that day, or a later one.`);
}

interface Done {
  what: string;
  on: string;
}

/** What was done in a case, and leaves no room for an end before it. */
async function doneIn(scope: Scope, { _id, parties }: OfCase, to: CaseStatus): Promise<Done[]> {
  const sessions = (await heldSessions(scope, _id)).map(({ number, heldOn }) => ({
    what: `Session ${number} was held`,
    on: heldOn,
  }));
  const signed = parties.flatMap((party) => agreementsOf(party).map((deed) => doneBy(party, deed)));
  // Somebody may come for a MIAM of their own after the others' mediation ended.
  return [...sessions, ...signed, ...(to === "not_proceeding" ? await approachesIn(scope, { _id, parties }) : [])];
}

const doneBy = ({ label }: { label: string }, { did, on }: Deed): Done => ({ what: `${label} ${did}`, on });

/** Who came or answered, which appointments were kept, and which invitations were made. */
async function approachesIn(scope: Scope, { _id, parties }: Pick<OfCase, "_id" | "parties">): Promise<Done[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const [meetings, attempts] = await Promise.all([meetingsOfCase(scope, _id), listAttempts(scope, _id)]);
  const came = await Promise.all(
    parties.map(async (party) => (await deedsToldOf(scope, _id, party)).map((deed) => doneBy(party, deed))),
  );
  // Whoever is rung once more to be told that it is over was only told.
  const kept = meetings.filter(({ status, type }) => status === "completed" && (isAssessing(type) || mediates(type)));
  return [
    ...came.flat(),
    ...kept.map(({ startsAt }) => ({ what: "A meeting took place", on: dayIn(timeZone, new Date(startsAt)) })),
    ...attempts.filter(isInvitation).flatMap(({ partyId, on }) => {
      const invited = parties.find((party) => party.partyId === partyId);
      return invited ? [{ what: `${invited.label} was invited`, on }] : [];
    }),
  ];
}

const CAUSES: Partial<Record<Ending, (day: string) => string>> = {
  died: (day) => `Nobody had died by then: the first death of this case is of ${day}.`,
  withdrew: (day) => `Nobody had withdrawn by then: the first who did so is recorded as of ${day}.`,
  refused: (day) => `Nobody had refused by then: the first who did so is recorded as of ${day}.`,
  no_answer: (day) => `Nobody had left you without an answer by then: the first who did so is recorded as of ${day}.`,
  not_safe: (day) => `Nobody was found not safe by then: the first who was is recorded as of ${day}.`,
};

/** The first day on which somebody is recorded as what this end says; null where that is not known, or not for whoever asks. */
async function causeOf(
  scope: Scope,
  { _id, parties }: OfCase,
  { ending, endedOn }: { ending: Ending; endedOn: string },
): Promise<{ on: string; what: (day: string) => string } | null> {
  const what = CAUSES[ending];
  if (!what || (ending === "not_safe" && !can(scope, "screening.read"))) return null;
  const found = ending === "not_safe" ? await unsafeDays(scope, _id) : new Map<string, string[]>();
  const days = parties.flatMap((party) => found.get(party.partyId) ?? daysOf(party, ending, endedOn));
  const [on = ""] = days.toSorted();
  return on === "" ? null : { on, what };
}

/** By party: when they were found not safe, in this case and in each other one of the same people. */
async function unsafeDays(scope: Scope, caseId: string): Promise<Map<string, string[]>> {
  const here = [...(await foundUnsafe(scope, caseId))].map(([partyId, { on }]) => ({ partyId, on }));
  const found = (await foundElsewhereIn(scope.ownerId, [caseId])).get(caseId) ?? [];
  const elsewhere = [...found].flatMap(([partyId, of]) => of.map(({ heldOn: on }) => ({ partyId, on })));
  const ofParty = Map.groupBy([...here, ...elsewhere], ({ partyId }) => partyId);
  return new Map([...ofParty].map(([partyId, days]) => [partyId, days.map(({ on }) => on)]));
}
