// A reason is said in words, and nobody missed what was booked only later.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { standingAt } from "../support/server/signed.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

test("assessments.record and certificates.issue: a dot, where a reason is asked for, is none", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aCase(practice, ledBy(ownerId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: ownerId };
  const short = (shortReason: string) =>
    api.assessments.record.mutate(anAssessment(whose, { minutes: 30, shortReason, attendedOn: daysAgo(5) }));
  expect(Object.keys((await refusal(short("."))).fields)).toEqual(["shortReason"]);
  const { id: assessmentId } = await short("A deaf client, and we met again");
  const issue = (replaceReason: string) =>
    api.certificates.issue.mutate({ id: newId(), assessmentId, statements: [], replaceReason });
  const first = await issue("");
  expect(Object.keys((await refusal(issue("."))).fields)).toEqual(["replaceReason"]);
  await issue("The name was wrong");
  const { items } = await api.certificates.list.query({ caseId: theCase.id });
  expect(items.find(({ id }) => id === first.id)).toMatchObject({ voidReason: expect.stringContaining("The name") });
});

test("casework.moveParty: nobody missed a MIAM before the day on which it was booked", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aCase(practice, ledBy(ownerId));
  await standingAt(practice, theCase.id, ["intake_done", "to_invite"]);
  const step = async (to: "miam_booked" | "miam_missed", on: string) =>
    api.casework.moveParty.mutate({
      ...at(await api.cases.get.query({ id: theCase.id })),
      partyId: p1.partyId,
      to,
      on,
      reason: "",
    });
  await step("miam_booked", daysAgo(9));
  const { fields } = await refusal(step("miam_missed", daysAgo(50)));
  expect(fields).toEqual({ on: expect.stringContaining("It was booked on") });
  expect((await step("miam_missed", daysAgo(9))).parties[0]).toMatchObject({ status: "miam_missed" });
});
