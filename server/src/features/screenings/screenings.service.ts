import { addMonths } from "@app/shared/days";
import { byDayHeld, dayHeld } from "@app/shared/screening-days";
import { assessesRisk, concernOf, tellsOfUnsafeContact } from "@app/shared/screening-limits";
import { type CompleteScreening, type Measure, type Screening, SCREENING_CHANNEL_NAMES } from "@app/shared/screenings";
import { mayMediate } from "@app/shared/team-access";
import { caucusOf } from "@app/shared/visibility";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { forbidden, notFound } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { mapInSlices } from "../../core/slices.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase } from "../cases/case-changes.service.ts";
import { partyIn } from "../cases/case-parties.service.ts";
import { findCaseDoc, getCase } from "../cases/cases.service.ts";
import { keptApart } from "../cases/client-cases.service.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { askToCheckContact } from "../clients/contact-checks.service.ts";
import { defineContactFollower } from "../clients/contact-followers.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { openEntry } from "../safeguarding/opened-entries.service.ts";
import { endTasksWith } from "../tasks/follow-up-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { answersOf } from "./answers-before.service.ts";
import { assertLookedAt, foundElsewhere, takeTurnsAround } from "./found-elsewhere.service.ts";
import { latestOfParties } from "./latest-of-parties.ts";
import { endScreeningAgain, followingOf } from "./screening-again.service.ts";
import { assertAskable, assertDaysOf } from "./screening-checks.ts";
import { askForJudgement, endJudgementTasks, judgementOf } from "./screening-confirmations.service.ts";
import { followScreening, statusAfter } from "./screening-effects.ts";
import { type ScreeningDoc, ScreeningModel, sealContent, STANDING, toScreening } from "./screenings.model.ts";
import { tellOfFinding } from "./told-elsewhere.service.ts";

definePartyTrace("a screening is recorded", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await ScreeningModel.exists({ ownerId, caseId, partyId })),
);

/** What a task ends with that asks to look at how somebody may be reached. */
export const contactOf = (clientId: string): string => `contact of ${clientId}`;

defineContactFollower(async (scope, { clientId, isUnchecked }) => {
  if (!isUnchecked) await endTasksWith(scope, contactOf(clientId));
});

const ONLY_THEY_LESSEN =
  "Only the owner or a mediator takes back what was agreed for somebody’s safety. Ask one of them to screen them again.";

type Found = Pick<CompleteScreening, "suitable" | "measures">;

/** Whoever mediates alone finds somebody safe again, or takes a measure back that was agreed for their safety. */
export function assertMayLessen({ role }: Pick<Scope, "role">, before: Found, after: Found | null): void {
  if (mayMediate(role) || after?.suitable === "no") return;
  if (before.suitable === "no") throw forbidden(ONLY_THEY_FIND_SAFE);
  if (before.measures.some((measure) => !after?.measures.includes(measure))) throw forbidden(ONLY_THEY_LESSEN);
}

const ONLY_THEY_FIND_SAFE =
  "This person was found not safe to mediate. Only the owner of the practice or a mediator records that mediation is safe after all.";
const FOUND_UNSAFE: Found = { suitable: "no", measures: [] };
const SCREENINGS_MAX = 200;
/** That somebody was screened, and what follows from it, is told only to those who may read screenings. */
export const NEEDS = "screening.read";

/** Every screening of a case, the one that was held last first. The reading itself is logged. */
export async function screeningsOf(scope: Scope, caseId: string): Promise<Screening[]> {
  await getCase(scope, caseId);
  const docs = await ScreeningModel.find({ ownerId: scope.ownerId, caseId })
    .sort({ completedAt: -1, _id: -1 })
    .limit(SCREENINGS_MAX)
    .lean();
  const screenings = await mapInSlices(docs, toScreening);
  return screenings.toSorted(byDayHeld(await practiceTimeZone(scope.ownerId)));
}

/**
 * Records a completed screening, and at once what follows from it: the earlier ones of this party are superseded, the
 * party moves where it says, and a concern opens the safeguarding record.
 */
export async function completeScreening(scope: Scope, input: CompleteScreening): Promise<Screening> {
  const { caseId, partyId, toolVersion, measures, suitable, heldOn, lookedAt = [], ...content } = input;
  const id = newId();
  await assertDaysOf(scope, input);
  const created = await inTransaction(async () => {
    await takeTurnsAround(scope.ownerId, caseId);
    const theCase = await findCaseDoc(scope, caseId);
    const party = partyIn(theCase, partyId);
    const { label, clientId } = party;
    await assertStillParties(scope.ownerId, caseId, [partyId]);
    await assertAskable(scope, { theCase, party }, input);
    const elsewhere = await foundElsewhere(scope, caseId, partyId);
    if (elsewhere.length > 0) assertMayLessen(scope, FOUND_UNSAFE, input);
    if (suitable !== "no") await assertLookedAt(scope, { label, elsewhere, lookedAt });
    const latest = (await latestScreenings(scope, caseId)).get(partyId);
    if (latest) assertMayLessen(scope, latest, { suitable, measures });
    const agreed = latest?.measures ?? [];
    const isLatest = await supersedeEarlier(scope, input);
    const judgement = judgementOf(scope, input);
    const [doc] = await ScreeningModel.create([
      {
        _id: id,
        ownerId: scope.ownerId,
        caseId,
        partyId,
        toolVersion,
        measures,
        suitable,
        status: isLatest ? "completed" : "superseded",
        heldOn,
        lookedAt: elsewhere.map(({ screeningId }) => screeningId).filter((one) => lookedAt.includes(one)),
        contentEnc: sealContent(scope.ownerId, id, content),
        completedAt: now(),
        completedByName: scope.userName,
        judgement,
      },
    ]);
    const today = await practiceToday(scope.ownerId);
    if (isLatest && judgement !== "needed" && statusAfter(party, suitable, theCase) !== party.status)
      await changeCase(scope, { id: caseId, version: theCase.version }, (draft) =>
        followScreening(draft, partyId, { suitable, on: heldOn }),
      );
    await tellScreened(scope, { caseId, partyId, clientId, label }, input);
    const concern = concernOf(input);
    if (concern !== "") await openEntry(scope, { caseId, partyId, sessionId: null, screeningId: id, concern });
    // Whatever they answered before was there to be read in it.
    for (const of of [
      { clientId, caseId },
      { clientId, caseId: null },
    ])
      await endTasksWith(scope, answersOf(of));
    if (isLatest) await endJudgementTasks(scope, partyId);
    if (isLatest) await endScreeningAgain(scope, { caseId, partyId });
    if (isLatest && judgement === "needed") await askForJudgement(scope, theCase, party);
    await askForWhatFollows(scope, { id, clientId, label }, input, today);
    const found = measures.filter((measure) => !agreed.includes(measure));
    if (isLatest) await tellOfFinding(scope, { caseId, partyId, measures: found, isUnsafe: suitable === "no" });
    return doc;
  });
  if (!created) throw new Error("the screening that was just stored is missing");
  return toScreening(created.toObject());
}

/** In the history, for whoever reads screenings. */
async function tellScreened(
  scope: Scope,
  { caseId, partyId, clientId, label }: { caseId: string; partyId: string; clientId: string; label: string },
  { heldOn, channel }: CompleteScreening,
): Promise<void> {
  const { calendarDay } = await practiceDates(scope.ownerId);
  const how = `on ${calendarDay(heldOn)}, ${SCREENING_CHANNEL_NAMES[channel].toLowerCase()}`;
  await recordEvent(scope, {
    kind: "case",
    text: `${label} screened for safety and suitability ${how}`,
    caseId,
    clientIds: [clientId],
    visibility: caucusOf(partyId),
    needs: NEEDS,
  });
}

/** Whoever found somebody not safe, or heard how they must not be reached, sees to it on the same day. */
async function askForWhatFollows(
  scope: Scope,
  { id, clientId, label }: { id: string; clientId: string; label: string },
  { caseId, suitable, answers }: CompleteScreening,
  dueOn: string,
): Promise<void> {
  const isUnsafe = suitable === "no";
  const isContactUnsafe = tellsOfUnsafeContact(answers);
  if (!isUnsafe && !isContactUnsafe) return;
  // What was heard holds at once, not when somebody finds the time.
  if (isContactUnsafe) await askToCheckContact(scope, clientId, { needs: NEEDS });
  const name = (await clientNames(scope, [clientId])).get(clientId) ?? label;
  const task = { caseId, clientId, dueOn, assigneeId: scope.userId, needs: NEEDS } as const;
  await createTasks(scope, [
    ...(isUnsafe
      ? [
          {
            ...task,
            title: `Safety: decide what follows from the screening of ${name}`,
            about: followingOf(id),
          },
        ]
      : []),
    ...(isContactUnsafe
      ? [{ ...task, title: `Safety: enter how ${name} may be reached safely`, endsWith: contactOf(clientId) }]
      : []),
  ]);
}

/** False, and nothing changes, where one that was held later stands already. */
async function supersedeEarlier(
  { ownerId }: Scope,
  { caseId, partyId, heldOn }: Pick<CompleteScreening, "caseId" | "partyId" | "heldOn">,
): Promise<boolean> {
  const standing = { ownerId, caseId, partyId, status: "completed" as const };
  const timeZone = await practiceTimeZone(ownerId);
  const docs = await ScreeningModel.find(standing, { heldOn: 1, completedAt: 1 }).lean();
  if (docs.some((doc) => dayHeld(doc, timeZone) > heldOn)) return false;
  await ScreeningModel.updateMany(standing, { $set: { status: "superseded" } });
  return true;
}

/** One of a case, found as everybody finds it who may add it. */
export async function getScreening(
  scope: Scope,
  id: string,
  { caseId }: Pick<CompleteScreening, "caseId">,
): Promise<Screening> {
  const screening = (await screeningsOf(scope, caseId)).find((each) => each.id === id);
  if (!screening) throw notFound("Screening");
  return screening;
}

/** A risk changes: what was found longer ago than this assesses none. */
export const RISK_MONTHS = 6;

/** Whether the risk to this party was assessed on this day or in the months before, whatever was found since. */
export async function wasRiskAssessedBy(
  { ownerId }: Scope,
  { caseId, partyId, attendedOn }: { caseId: string; partyId: string; attendedOn: string },
): Promise<boolean> {
  const docs = await ScreeningModel.find({ ownerId, caseId, partyId, ...STANDING }).lean();
  const timeZone = await practiceTimeZone(ownerId);
  return docs.some((doc) => assessesRiskBy(doc, attendedOn, timeZone));
}

/** Whether this screening asked about every risk in the months until that day, as a mediator judged it. */
export function assessesRiskBy(doc: ScreeningDoc, attendedOn: string, timeZone: string): boolean {
  // Who mediates assesses it (FPR 3.9), or confirms what somebody else found.
  if ((doc.judgement ?? "given") !== "given") return false;
  const day = dayHeld(doc, timeZone);
  if (day < addMonths(attendedOn, -RISK_MONTHS) || day > attendedOn) return false;
  const { answers, suitable } = toScreening(doc);
  return assessesRisk({ answers: Object.fromEntries(answers.map((given) => [given.id, given])), suitable });
}

type Latest = Pick<ScreeningDoc, "partyId" | "suitable" | "measures" | "heldOn" | "completedAt" | "judgement">;

/** The latest completed screening of each party of a case: whether it allows mediation, and nothing of what was said. */
export const latestScreenings = async ({ ownerId }: Scope, caseId: string): Promise<Map<string, Latest>> =>
  (await latestScreeningsIn(ownerId, [caseId])).get(caseId) ?? new Map();

/** The same of several cases. */
export async function latestScreeningsIn(
  ownerId: string,
  caseIds: readonly string[],
): Promise<Map<string, Map<string, Latest>>> {
  const docs = await ScreeningModel.find(
    { ownerId, caseId: mongoose.trusted({ $in: [...caseIds] }), status: "completed" },
    { caseId: 1, partyId: 1, suitable: 1, measures: 1, heldOn: 1, completedAt: 1, judgement: 1 },
  )
    .sort({ completedAt: 1 })
    .lean();
  return latestOfParties(docs, (doc) => doc);
}

/** The parties must not meet: however that became known, it is kept to like what a screening asks for. */
export const APART: readonly Measure[] = ["shuttle", "separate_arrivals"];

/** What this case, or another one of the same people, asks of every meeting in which these parties would meet. */
export const measuresOfFlags = async (
  { ownerId }: Scope,
  { caseId, partyIds }: { caseId: string; partyIds: readonly string[] },
): Promise<readonly Measure[]> => ((await keptApart(ownerId, caseId, partyIds)).length > 0 ? APART : []);
