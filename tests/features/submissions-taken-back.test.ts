import { newId } from "@app/server/core/ids";
import { expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aCase, aPractice, clientFields } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

/** Given to a client, who is another one perhaps; with what decides on the one thing that they propose. */
async function givenTo() {
  const form = await aPublishedForm(practice);
  await submit(practice, await generalPlace(practice, form.id), { town: "Hull", needs: "A ramp", children: "no" });
  vi.restoreAllMocks();
  const [row] = (await practice.api.submissions.list.query({ formId: form.id })).items;
  if (!row) throw new Error("nothing was sent in");
  const { id, version } = row;
  const { first } = await aCase(practice);
  const given = await practice.api.submissions.assign.mutate({ id, version, clientId: first.id, caseId: null });
  const asked = { id, version: given.version, clientVersion: given.clientVersion ?? 0, fieldId: "needs", text: "" };
  const decide = (decision: "accepted" | "rejected") =>
    practice.api.submissions.decide.mutate({ ...asked, changeId: newId(), decision });
  return { id, first, decide };
}

test("submissions.unassign: after a rejection, when it is taken back, they are nobody's and everything is decided anew", async () => {
  const { first, decide, id } = await givenTo();
  const { version } = await decide("rejected");
  await practice.api.submissions.unassign.mutate({ id, version });
  const again = await practice.api.submissions.get.query({ id });
  const { second } = await aCase(practice);
  const anew = { id, version: again.version, clientId: second.id, caseId: null };
  const { proposals } = await practice.api.submissions.assign.mutate(anew);
  expect(proposals).toMatchObject([{ fieldId: "needs", decision: "pending" }]);
  expect((await practice.api.clients.get.query({ id: first.id })).needs).toBe("");
});

test("submissions.unassign: after an acceptance, when it is taken back, it says what was changed, and puts that back where this is wanted", async () => {
  const { first, decide, id } = await givenTo();
  const { version } = await decide("accepted");
  const needs = async () => (await practice.api.clients.get.query({ id: first.id })).needs;
  expect(await needs()).toBe("A ramp");
  const late = practice.api.submissions.unassign.mutate({ id, version });
  expect(await refusal(late)).toMatchObject({ code: "PRECONDITION_FAILED", message: expect.stringMatching(/needs/) });
  await practice.api.submissions.unassign.mutate({ id, version, putsBack: true });
  expect(await needs()).toBe("");
  expect(await practice.api.submissions.get.query({ id })).toMatchObject({ clientId: null, proposals: [] });
  const history = await practice.api.timeline.list.query({ clientId: first.id });
  expect(history.items.map(({ text }) => text).join("\n")).toMatch(/taken over of them put back \(needs\)/);
});

test("submissions.unassign: what somebody changed since, when the rest is put back, stays as they wrote it", async () => {
  const { first, decide, id } = await givenTo();
  const { version } = await decide("accepted");
  const client = clientFields({ needs: "A loop" });
  const now = await practice.api.clients.get.query({ id: first.id });
  await practice.api.clients.update.mutate({ id: first.id, version: now.version, client });
  await practice.api.submissions.unassign.mutate({ id, version, putsBack: true });
  expect((await practice.api.clients.get.query({ id: first.id })).needs).toBe("A loop");
});
