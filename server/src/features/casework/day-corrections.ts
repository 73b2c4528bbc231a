// The day of a step was noted wrong: it is put right where it stands, and what was recorded since goes by it.
import { isOfDecision } from "@app/shared/case-states";
import { type Case, CORRECTED_DAY_NAMES, type correctDaySchema, LEAVING_STEPS } from "@app/shared/cases";
import { daysOutIn } from "@app/shared/death";
import { wayDayOf } from "@app/shared/way-days";
import type { z } from "zod";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { assertAlive, assertInCase, assertNotLongBefore } from "../cases/case-days.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { assertOfThisRound, endAfter } from "../cases/reopened.service.ts";
import { assertStillInOrder } from "../ladders/way-days.service.ts";
import { assertGoneSince } from "./leaving-days.ts";
import { assertByThen, assertNotLater } from "../practices/past-days.service.ts";
import { practiceDates } from "../practices/practices.service.ts";

const FIELDS = {
  responded: "respondedOn",
  intake_done: "intakeDoneOn",
  agreement_signed: "agreementSignedOn",
} as const;

/** Puts right on which day a party took a step. The history keeps both days, with the reason. */
export async function correctDay(scope: Scope, input: z.output<typeof correctDaySchema>): Promise<Case> {
  const { partyId, of, on, reason } = input;
  await assertNotLater(scope, "on", on);
  return changedCase(scope, input, async (draft) => {
    const party = partyIn(draft, partyId);
    const left = leavingOf(party);
    const before = of === "left" ? (left?.on ?? "") : party[FIELDS[of]];
    const name = CORRECTED_DAY_NAMES[of];
    if (before === "") throw wrongState(`No day is recorded for this step of ${party.label} (${name}).`);
    if (before === on) throw badField("on", "It is recorded so already.");
    await assertAlive(scope, party, "on", on);
    if (of === "agreement_signed") await assertBeforeEnd(scope, draft, { on, before });
    const step = of === "left" ? left : party.steps.findLast((one) => one.to === of && one.on === before);
    // A signature that was noted before it came is put right by its day, and certifies less.
    if (step && of !== "agreement_signed") await assertByThen(scope, "on", { on, recordedAt: step.at });
    if (of !== "left") await assertBackSince(scope, party, { of, on, before });
    if (of === "left" && left) await assertLeftOn(scope, draft, party, { to: left.to, on, before });
    const over = of === "agreement_signed" && step ? await endAfter(scope, draft, step.at) : "";
    if (over !== "") await assertBeforeEnd(scope, { concludedOn: over }, { on, before });
    else if (of === "agreement_signed" || (of === "left" && left && isOfDecision(left.to))) {
      await assertInCase(scope, draft, "on", on);
      await assertOfThisRound(scope, draft, "on", on);
    } else await assertNotLongBefore(scope, draft, "on", on);
    const what = of === "left" ? "left" : wayDayOf(of);
    if (what) await assertStillInOrder(scope, { theCase: draft, party, what, field: "on", on, before });
    if (step) step.on = on;
    if (of !== "left") party[FIELDS[of]] = on;
    const said = of === "agreement_signed" && draft.agreements.findLast((one) => one.partyId === partyId);
    if (said && said.on === before) said.on = on;
    const { calendarDay } = await practiceDates(scope.ownerId);
    const days = `${calendarDay(on)}, and not ${calendarDay(before)}`;
    await tellOfStep(scope, draft, { text: `${party.label} corrected: ${name} on ${days} (${reason})` });
  });
}

/** The step by which they take no part, where it has a day. */
function leavingOf(party: PartyDoc) {
  const last = lastStepOf(party);
  return last && LEAVING_STEPS.includes(last.to) && (last.on ?? "") !== "" ? last : null;
}

/** Whoever came back by a step did so after they had left. */
async function assertBackSince(
  scope: Scope,
  { label, steps }: PartyDoc,
  { of, on, before }: { of: PartyDoc["status"]; on: string; before: string },
): Promise<void> {
  const at = steps.findLastIndex((one) => one.to === of && one.on === before);
  const [out, was] = [daysOutIn({ steps: steps.slice(0, at + 1) }), daysOutIn({ steps: steps.slice(0, at) })];
  const left = was.length === out.length && was.at(-1)?.to === "" ? was.at(-1) : undefined;
  if (!left || out.at(-1)?.to !== before || on >= left.from || before < left.from) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "on",
    `It is recorded that ${label} left on ${calendarDay(left.from)}, and came back by this step. Enter that day, or a later one.`,
  );
}

/** They were at no session since, and what ended because they left did not end before. */
async function assertLeftOn(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { to, on, before }: { to: PartyDoc["status"]; on: string; before: string },
): Promise<void> {
  await assertGoneSince(scope, draft._id, party, { to, on });
  await assertBeforeEnd(scope, draft, { on, before });
}

/** What was done before the case ended is not moved behind its end. */
async function assertBeforeEnd(
  scope: Scope,
  { concludedOn }: Pick<CaseDoc, "concludedOn">,
  { on, before }: { on: string; before: string },
): Promise<void> {
  if (concludedOn === "" || on <= concludedOn || before > concludedOn) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField("on", `This case ended on ${calendarDay(concludedOn)}. Enter that day, or an earlier one.`);
}
