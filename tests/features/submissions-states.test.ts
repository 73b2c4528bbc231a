import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import type { AnswersMovedTo } from "@app/shared/submission-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aPractice } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aFormLink, aPublishedForm, aSubmission } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

async function sentIn(): Promise<string> {
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id });
  return aSubmission(practice.ownerId, { link: link.id, answers: { town: "Hull", needs: "A ramp", children: "no" } });
}
async function move(id: string, status: AnswersMovedTo) {
  const { version } = await practice.api.submissions.get.query({ id });
  return practice.api.submissions.setStatus.mutate({ id, version, status });
}
const stored = (id: string) => SubmissionModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();

test("submissions.setStatus: one after the other, when each follows the one before, goes as far as withdrawn", async () => {
  const id = await sentIn();
  expect(await move(id, "under_review")).toMatchObject({ status: "under_review", version: 1 });
  expect(await move(id, "processed")).toMatchObject({ status: "processed", version: 2 });
  expect(await move(id, "withdrawn")).toMatchObject({ status: "withdrawn", version: 3 });
  expect(await stored(id)).toMatchObject({ status: "withdrawn", version: 3 });
});

test("submissions.setStatus: what does not follow, when it is asked for, is refused with what comes next", async () => {
  const id = await sentIn();
  const leapt = await refusal(move(id, "processed"));
  expect(leapt).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(leapt.message).toBe(
    "Answers that are “Sent in” cannot become “Dealt with”. Next comes “Being looked at” or “Withdrawn”.",
  );
  await move(id, "withdrawn");
  for (const status of ["under_review", "processed", "withdrawn"] as const)
    expect((await refusal(move(id, status))).message).toMatch(/Next comes nothing: it ends there\.$/);
  const back = practice.api.submissions.setStatus.mutate(JSON.parse(`{"id":"${id}","version":1,"status":"submitted"}`));
  expect(await refusal(back)).toMatchObject({ code: "BAD_REQUEST" });
  expect(await stored(id)).toMatchObject({ status: "withdrawn", version: 1 });
});

test("submissions.setStatus: over an older version, when somebody else was quicker, changes nothing", async () => {
  const id = await sentIn();
  const both = (["under_review", "withdrawn"] as const).map((status) =>
    practice.api.submissions.setStatus.mutate({ id, version: 0, status }),
  );
  const ends = await Promise.allSettled(both);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const late = practice.api.submissions.setStatus.mutate({ id, version: 0, status: "withdrawn" });
  expect(await refusal(late)).toMatchObject({ code: "CONFLICT", isStale: true });
  expect(await stored(id)).toMatchObject({ version: 1 });
});
