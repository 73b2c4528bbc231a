// In kinds of cases without a first meeting whoever did the intake stands where their screening says, and nobody clicks it.
import type { PartyStatus } from "@app/shared/case-states";
import type { CaseDomain } from "@app/shared/case-transitions";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

async function unscreened(domain: CaseDomain) {
  const { theCase, p1 } = await aCase(practice, { ...ledBy(practice.ownerId), domain }, { isScreened: false });
  const { api } = practice;
  const now = () => api.cases.get.query({ id: theCase.id });
  const party = async () => (await now()).parties[0];
  const at = async () => ({ id: theCase.id, version: (await now()).version, partyId: p1.partyId });
  const on = theCase.createdAt.slice(0, 10);
  const step = async (...states: PartyStatus[]) => {
    for (const to of states)
      await api.casework.moveParty.mutate({ ...(await at()), to, on, reason: "", confidences: null });
  };
  const correct = async () => api.casework.correct.mutate({ ...(await at()), reason: "The wrong one" });
  const screen = async (more: object = {}) =>
    (await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, more))).id;
  return { step, screen, correct, party, api };
}

test.each(["civil", "community", "other"] as const)(
  "screenings.complete: of somebody who did the intake in a case of the kind %s, they are suitable at once, and may sign",
  async (domain) => {
    const { step, screen, party } = await unscreened(domain);
    await step("responded", "intake_done");
    await screen();
    expect(await party()).toMatchObject({ status: "suitable" });
    await step("miam_booked", "miam_attended");
    expect(await party()).toMatchObject({ status: "suitable" });
  },
);

test("casework.moveParty: of somebody who was screened before, they are suitable as soon as the intake is done, and no longer where that was not done", async () => {
  const { step, screen, correct, party } = await unscreened("civil");
  await step("responded");
  await screen();
  expect(await party()).toMatchObject({ status: "responded" });
  await step("intake_done");
  expect(await party()).toMatchObject({ status: "suitable" });
  await correct();
  expect(await party()).toMatchObject({ status: "responded" });
});

test.each(["family", "workplace"] as const)(
  "screenings.complete: in a case of the kind %s, nobody is suitable before their first meeting",
  async (domain) => {
    const { step, screen, party } = await unscreened(domain);
    await step("responded", "intake_done");
    await screen();
    expect(await party()).toMatchObject({ status: "intake_done" });
  },
);

test("screenings.strike: without the screening they only did the intake; found not safe and safe again, they stand where that says", async () => {
  const { step, screen, party, api } = await unscreened("civil");
  await step("responded", "intake_done");
  await api.screenings.strike.mutate({ id: await screen(), reason: "Recorded of the wrong person" });
  expect(await party()).toMatchObject({ status: "intake_done", assessedOn: "" });
  await screen(NOT_SAFE);
  expect(await party()).toMatchObject({ status: "not_suitable", leftAt: expect.any(String) });
  const safe = await screen();
  expect(await party()).toMatchObject({ status: "suitable", leftAt: null });
  const unsafe = await screen(NOT_SAFE);
  expect(await party()).toMatchObject({ status: "not_suitable" });
  await api.screenings.strike.mutate({ id: unsafe, reason: "Recorded of the wrong person" });
  expect(await party()).toMatchObject({ status: "suitable" });
  await api.screenings.strike.mutate({ id: safe, reason: "Recorded of the wrong person" });
  expect(await party()).toMatchObject({ status: "not_suitable" });
});
