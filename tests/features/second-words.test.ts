// What somebody who mediates has found is not found otherwise by whoever does not.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const permissions = ["clients.read", "clients.write", "screening.read"] as const;

test("screenings.complete: of somebody who was found not safe, that they are safe is said by who mediates; whoever does not may still say that they are not", async () => {
  const { theCase, p1 } = await aCase(practice);
  const finance = await aStaffUser(app, practice, { role: 4, permissions: [...permissions] });
  const mediator = await aStaffUser(app, practice, { role: 2, permissions: [...permissions] });
  const say = (by: typeof finance, found = {}) =>
    by.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));
  await say(finance);
  await say(finance, NOT_SAFE);
  expect(await refusal(say(finance))).toMatchObject({ code: "FORBIDDEN" });
  await say(finance, NOT_SAFE);
  await say(mediator);
});

test("conflicts.decide: that the practice may act after all is decided by who mediates", async () => {
  const { theCase } = await aCase(practice);
  const finance = await aStaffUser(app, practice, { role: 4, permissions: [...permissions] });
  const decide = (by: Pick<typeof finance, "api">, decision: "clear" | "conflicted" | "waived") =>
    by.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision, reason: "Looked again" });
  await decide(finance, "waived");
  await decide(finance, "conflicted");
  for (const decision of ["clear", "waived"] as const)
    expect(await refusal(decide(finance, decision))).toMatchObject({ code: "FORBIDDEN" });
  await decide(practice, "clear");
});
