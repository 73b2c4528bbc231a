// An end is of a day on which what ended it had come about, and says what that was.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { AttemptModel } from "@app/server/features/ladders/attempts.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { type Ending, isOfDecision } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMediatedCase, aNamedClient, leading, TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const agoDays = (days: number) => addDays(TODAY, -days);

/** In mediation, for so long that what happened lies in it. */
const mediated = () => aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: agoDays(30) });
/** The same, where all that led there was done long ago too. */
async function longMediated() {
  const built = await mediated();
  const days = ["respondedOn", "intakeDoneOn", "assessedOn"];
  const earlier = Object.fromEntries(days.map((field) => [`parties.$[].${field}`, agoDays(25)]));
  await metBefore(practice, built.theCase.id, agoDays(25));
  const theCase = { _id: built.theCase.id, ownerId: practice.ownerId };
  await CaseModel.updateOne(theCase, { $set: { ...earlier, "parties.$[].steps": [] } });
  return built;
}
const fresh = ({ id }: Case) => practice.api.cases.get.query({ id });
const step = async (theCase: Case, index: number, to: "withdrawn" | "refused" | "no_response" | "died", on: string) =>
  practice.api.casework.moveParty.mutate({
    ...at(await fresh(theCase)),
    partyId: theCase.parties[index]?.partyId ?? "",
    to,
    on,
    reason: "They rang",
    isOwnDecision: isOfDecision(to) ? true : null,
  });
const end = async (theCase: Case, ending: Ending, endedOn = "") =>
  practice.api.casework.move.mutate({
    ...at(await fresh(theCase)),
    to: "terminated",
    ending,
    endedOn,
    reason: "They rang",
    outcome: { ...OUTCOME, issues: [] },
  });

test.each(["withdrew", "refused"] as const)(
  "a case that ends because somebody %s: not before the day on which they did",
  async (ending) => {
    const { theCase } = await mediated();
    await step(theCase, 1, "withdrawn", TODAY);
    expect((await refusal(end(theCase, ending, agoDays(1)))).fields).toEqual({
      endedOn: expect.stringContaining("by then"),
    });
    expect(await end(theCase, ending, TODAY)).toMatchObject({ status: "terminated", concludedOn: TODAY });
  },
);

test.each([
  ["withdrew", "withdrawn"],
  ["no_answer", "no_response"],
] as const)(
  "a case of which somebody stepped out and then died: it ends as “%s”, not before that",
  async (ending, to) => {
    const { theCase } = await longMediated();
    await step(theCase, 1, to, agoDays(10));
    await step(theCase, 1, "died", agoDays(5));
    expect((await refusal(end(theCase, ending, agoDays(11)))).fields).toEqual({
      endedOn: expect.stringContaining("by then"),
    });
    expect(await end(theCase, ending, agoDays(10))).toMatchObject({ ending, concludedOn: agoDays(10) });
  },
);

test("a case of which somebody went quiet and then withdrew: it ends as “No answer” only before they withdrew", async () => {
  const { theCase } = await longMediated();
  await step(theCase, 1, "no_response", agoDays(10));
  await step(theCase, 1, "withdrawn", agoDays(5));
  expect((await refusal(end(theCase, "no_answer", agoDays(5)))).fields).toEqual({
    ending: expect.stringContaining("Nobody in this case is recorded as"),
  });
  expect(await end(theCase, "no_answer", agoDays(6))).toMatchObject({ ending: "no_answer" });
});

test("a case that ends as not safe: not before the day of the screening that found it", async () => {
  const { theCase, p2 } = await longMediated();
  const { id } = await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const heldOn = agoDays(5);
  await ScreeningModel.updateOne({ _id: id, ownerId: practice.ownerId }, { $set: { heldOn } });
  await dismissEntries(practice.api, theCase.id);
  expect((await refusal(end(theCase, "not_safe", agoDays(6)))).fields).toEqual({
    endedOn: expect.stringContaining("Nobody was found not safe by then"),
  });
  expect(await end(theCase, "not_safe", heldOn)).toMatchObject({ concludedOn: heldOn });
});

test("a case that a death ended did not break down, but may have before it", async () => {
  const { theCase } = await longMediated();
  await step(theCase, 0, "died", agoDays(5));
  for (const endedOn of ["", agoDays(4)])
    expect((await refusal(end(theCase, "broken_down", endedOn))).fields).toEqual({
      ending: expect.stringContaining("Somebody died, and one side was left"),
    });
  expect(await end(theCase, "broken_down", agoDays(6))).toMatchObject({ ending: "broken_down" });
});

test("a case whose other side had withdrawn before a death did break down", async () => {
  const { theCase } = await longMediated();
  await step(theCase, 1, "withdrawn", agoDays(10));
  await step(theCase, 1, "died", agoDays(5));
  expect(await end(theCase, "broken_down")).toMatchObject({ ending: "broken_down" });
});

test("a case that a death ended did not break down because the other side withdrew after it", async () => {
  const { theCase } = await longMediated();
  await step(theCase, 0, "died", agoDays(10));
  await step(theCase, 1, "withdrawn", agoDays(5));
  expect((await refusal(end(theCase, "broken_down"))).fields).toEqual({
    ending: expect.stringContaining("Somebody died, and one side was left"),
  });
});

test("a case of three sides, of whom one died, may break down between the others", async () => {
  const { theCase } = await mediated();
  const clientId = await aNamedClient(practice, "Una Marsh");
  const party = { clientId, role: "participant" as const, side: "" };
  const three = await practice.api.casework.addParty.mutate({ ...at(theCase), changeId: clientId, party });
  await step(three, 2, "died", agoDays(5));
  expect(await end(three, "broken_down")).toMatchObject({ ending: "broken_down" });
});

test("a case that is reopened and ends again: not before it had ended the last time", async () => {
  const { theCase } = await longMediated();
  await end(theCase, "broken_down", agoDays(5));
  await practice.api.casework.move.mutate({
    ...at(await fresh(theCase)),
    to: "assessing",
    reason: "The court sent them",
  });
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { status: "in_mediation", "parties.$[].status": "active" } },
  );
  const { fields } = await refusal(end(theCase, "broken_down", agoDays(6)));
  expect(fields).toEqual({ endedOn: expect.stringContaining("before it was reopened") });
  expect(await end(theCase, "broken_down", agoDays(5))).toMatchObject({ concludedOn: agoDays(5) });
});

/** Two people asked for mediation long ago; nobody has said anything since. */
async function enquired(domain: Case["domain"] = "family") {
  const built = await aCase(practice, { ...ledBy(practice.ownerId), domain, startedOn: agoDays(30) });
  const theCase = { _id: built.theCase.id, ownerId: practice.ownerId };
  return { ...built, set: (days: Record<string, string>) => CaseModel.updateOne(theCase, { $set: days }) };
}
const notProceed = async (theCase: Case, endedOn: string) =>
  practice.api.casework.move.mutate({
    ...at(await fresh(theCase)),
    to: "not_proceeding",
    ending: "other",
    endedOn,
    reason: "They moved abroad",
  });

test("a case that does not proceed: the day is kept and told, and it is one that has come, in its case", async () => {
  const { theCase } = await enquired();
  for (const day of [addDays(TODAY, 2), agoDays(31)])
    expect((await refusal(notProceed(theCase, day))).fields).toHaveProperty("endedOn");
  expect(await notProceed(theCase, agoDays(5))).toMatchObject({ status: "not_proceeding", concludedOn: agoDays(5) });
  const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
  expect(items.map(({ text }) => text)).toContainEqual(expect.stringContaining("; the case ended on"));
});

test.each([
  ["respondedOn", "P2 answered on"],
  ["intakeDoneOn", "P2 did their intake on"],
  ["miamOn", "P2 came to a first meeting on"],
  ["consentedOn", "P2 consented to mediation on"],
  ["agreementSignedOn", "P2 signed the agreement to mediate on"],
])("a case that does not proceed: not before the day of %s of somebody in it", async (field, told) => {
  const { theCase, set } = await enquired();
  await set({ [`parties.1.${field}`]: agoDays(5) });
  expect((await refusal(notProceed(theCase, agoDays(6)))).fields).toEqual({ endedOn: expect.stringContaining(told) });
  expect(await notProceed(theCase, agoDays(5))).toMatchObject({ concludedOn: agoDays(5) });
});

test.each([
  ["miam", true],
  ["pre_meeting", true],
  ["call", false],
  ["other", false],
] as const)(
  "a case that does not proceed: an appointment of the type %s that was kept bounds its end: %s",
  async (type, isBound) => {
    const { theCase, p1 } = await enquired();
    const startsAt = `${agoDays(4)}T10:00:00.000Z`;
    const planned = { type, caseId: theCase.id, partyIds: [p1.partyId], startsAt, allowsOverlap: true };
    const { id, version } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, planned));
    await practice.api.meetings.setStatus.mutate({ id, version, to: "completed" });
    if (isBound)
      expect((await refusal(notProceed(theCase, agoDays(5)))).fields).toEqual({
        endedOn: expect.stringMatching(/A meeting took place on|came to a first meeting on/),
      });
    const endedOn = agoDays(isBound ? 4 : 5);
    expect(await notProceed(theCase, endedOn)).toMatchObject({ concludedOn: endedOn });
  },
);

test("a case that does not proceed: not before the last invitation to it", async () => {
  const { theCase, set } = await enquired("workplace");
  await set({ "parties.0.status": "responded" });
  const led = leading(practice, theCase.id);
  await led.clear();
  await led.invite(1);
  await AttemptModel.updateOne({ caseId: theCase.id, ownerId: practice.ownerId }, { $set: { on: agoDays(4) } });
  expect((await refusal(notProceed(theCase, agoDays(5)))).fields).toEqual({
    endedOn: expect.stringContaining("P2 was invited on"),
  });
  expect(await notProceed(theCase, agoDays(4))).toMatchObject({ concludedOn: agoDays(4) });
});

test("a mediation that ends: not before the day on which somebody agreed to it", async () => {
  const { theCase } = await longMediated();
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.1.agreementSignedOn": agoDays(8) } },
  );
  expect((await refusal(end(theCase, "broken_down", agoDays(9)))).fields).toEqual({
    endedOn: expect.stringContaining("P2 signed the agreement to mediate on"),
  });
  expect(await end(theCase, "broken_down", agoDays(8))).toMatchObject({ concludedOn: agoDays(8) });
});
