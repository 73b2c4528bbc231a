// Each half of shuttle mediation that is held apart rests on what was signed by its own day.
import { newId } from "@app/server/core/ids";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { type Built, apart } from "../support/server/apart.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { leading, TODAY } from "../support/server/led.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { signedBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { hold, mediated, choicesOf } = apart(practice);
const DAY_MS = 86_400_000;

test("when the half of the one was held before they had signed, then it is no mediation of the other either", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  await hold(built, p1, "continues");
  await hold(built, p2, "continues");
  expect(await choicesOf(built, built.p2)).toMatchObject({ lastOn: TODAY });
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await CaseModel.updateOne(
    { ownerId: practice.ownerId, _id: built.theCase.id },
    { $set: { "parties.0.agreementSignedOn": tomorrow, "parties.0.steps.$[signing].on": tomorrow } },
    { arrayFilters: [{ "signing.to": "agreement_signed" }] },
  );
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
});

/** As if these had signed so many days ago, and the sessions of these numbers had been held so many days ago. */
async function daysBefore({ theCase }: Built, signed: readonly number[], held: Record<number, number>) {
  const day = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  const of = { ownerId: practice.ownerId, _id: theCase.id };
  for (const [index, days] of signed.entries())
    await CaseModel.updateOne(
      of,
      {
        $set: {
          [`parties.${index}.agreementSignedOn`]: day(days),
          [`parties.${index}.steps.$[signing].on`]: day(days),
        },
      },
      { arrayFilters: [{ "signing.to": "agreement_signed" }] },
    );
  for (const [number, days] of Object.entries(held))
    await SessionModel.updateOne(
      { ownerId: practice.ownerId, caseId: theCase.id, number: Number(number) },
      { $set: { startedAt: new Date(Date.now() - days * DAY_MS) } },
    );
}

test("when the half of the one was held before the other had signed, then it is mediation of neither, until the one comes again", async () => {
  const built = await mediated();
  const { number } = await hold(built, built.p1.partyId, "continues");
  await hold(built, built.p2.partyId, "continues");
  await daysBefore(built, [30, 10], { [number]: 20 });
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
  await hold(built, built.p1.partyId, "continues");
  for (const party of [built.p1, built.p2])
    expect(await choicesOf(built, party)).toMatchObject({ firstOn: TODAY, lastOn: TODAY });
});

/** Three sides in mediation, all of whom signed. */
async function ofThree() {
  const built = await mediated();
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side: "" };
  await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
  const led = leading(practice, built.theCase.id);
  await led.clear();
  for (const index of [0, 1]) await led.screen(index);
  await led.assess(2);
  await led.sign(2);
  await signedBefore(practice, built.theCase.id);
  await CaseModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { "parties.2.status": "active" } });
  const p3 = (await practice.api.cases.get.query({ id })).parties[2]?.partyId ?? "";
  return { ...built, p3: { partyId: p3 } };
}

test("when two of three sides sat together, then it goes with the half of the third, who was not asked to it", async () => {
  const built = await ofThree();
  await hold(built, built.p1.partyId, "continues");
  await hold(built, [built.p2.partyId, built.p3.partyId], "continues");
  for (const party of [built.p1, built.p2, built.p3])
    expect(await choicesOf(built, party)).toMatchObject({ lastOn: TODAY });
});

test("when one of two who were asked together stayed away, then whoever came mediated with the third, and not with them", async () => {
  const built = await ofThree();
  await hold(built, built.p1.partyId, "continues");
  await hold(built, built.p2.partyId, "continues", { missing: [built.p3.partyId] });
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: TODAY });
  expect(await choicesOf(built, built.p3)).toMatchObject({ lastOn: "" });
});

test("when two of three sides came apart, each without the other who was asked too, then neither mediated", async () => {
  const built = await ofThree();
  await hold(built, built.p2.partyId, "continues", { missing: [built.p3.partyId] });
  await hold(built, built.p3.partyId, "continues", { missing: [built.p2.partyId] });
  for (const party of [built.p1, built.p2, built.p3])
    expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
});

test("when one of two who sat together had not signed, then whoever had mediated with the third, in their own half, and the other with nobody", async () => {
  const built = await ofThree();
  const { number } = await hold(built, [built.p2.partyId, built.p3.partyId], "continues");
  await hold(built, built.p1.partyId, "continues");
  await daysBefore(built, [30, 30, 10], { [number]: 20 });
  for (const party of [built.p1, built.p2])
    expect((await choicesOf(built, party)).sentence).toContain("held with each participant at a separate time");
  expect(await choicesOf(built, built.p3)).toMatchObject({ lastOn: "" });
});
