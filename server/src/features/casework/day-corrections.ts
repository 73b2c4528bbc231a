// The day of a step was noted wrong: it is put right where it stands, and what was recorded since goes by it.
import { type Case, CORRECTED_DAY_NAMES, type correctDaySchema } from "@app/shared/cases";
import { wayDayOf } from "@app/shared/way-days";
import type { z } from "zod";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { assertAlive, assertInCase, assertNotLongBefore } from "../cases/case-days.service.ts";
import { partyIn } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { assertOfThisRound } from "../cases/reopened.service.ts";
import { assertStillInOrder } from "../ladders/way-days.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
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
    const before = party[FIELDS[of]];
    const name = CORRECTED_DAY_NAMES[of];
    if (before === "") throw wrongState(`No day is recorded for this step of ${party.label} (${name}).`);
    if (before === on) throw badField("on", "It is recorded so already.");
    await assertAlive(scope, party, "on", on);
    if (of === "agreement_signed") {
      await assertInCase(scope, draft, "on", on);
      await assertOfThisRound(scope, draft, "on", on);
    } else await assertNotLongBefore(scope, draft, "on", on);
    const what = wayDayOf(of);
    if (what) await assertStillInOrder(scope, { theCase: draft, party, what, field: "on", on, before });
    party[FIELDS[of]] = on;
    const step = party.steps.findLast((one) => one.to === of && one.on === before);
    if (step) step.on = on;
    const said = of === "agreement_signed" && draft.agreements.findLast((one) => one.partyId === partyId);
    if (said && said.on === before) said.on = on;
    const { calendarDay } = await practiceDates(scope.ownerId);
    const days = `${calendarDay(on)}, and not ${calendarDay(before)}`;
    await tellOfStep(scope, draft, { text: `${party.label} corrected: ${name} on ${days} (${reason})` });
  });
}
