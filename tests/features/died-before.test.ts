// Nobody did anything after the day on which they died, whichever of both is recorded first.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMiamElsewhere, anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { aCase, aMeetingInput, ledBy } from "../support/server/people.ts";
import { metBefore } from "../support/server/signed.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const fresh = (id: string) => practice.api.cases.get.query({ id });

async function dies(caseId: string, partyId: string, on: string) {
  const step = { ...at(await fresh(caseId)), partyId, to: "died" as const, on };
  return practice.api.casework.moveParty.mutate({ ...step, reason: "Her sister rang", confidences: null });
}

test.each([
  ["consentedOn", "consented to mediation"],
  ["agreementSignedOn", "signed the agreement to mediate"],
  ["miamOn", "came to a first meeting"],
] as const)(
  "casework.moveParty: a death of a day before %s is refused with both ways to put it right, and changes nothing",
  async (field, did) => {
    const { theCase, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
    await metBefore(practice, theCase.id, daysAgo(10));
    const later = { $set: { [`parties.1.${field}`]: daysAgo(2) } };
    await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, later);
    expect((await refusal(dies(theCase.id, p2.partyId, daysAgo(3)))).fields).toEqual({
      on: expect.stringMatching(
        new RegExp(`^It is recorded that P2 ${did} on .+ Enter that day or a later one, or correct what is recorded`),
      ),
    });
    expect(await fresh(theCase.id)).toMatchObject({ status: "in_mediation", parties: [{}, { status: "active" }] });
    expect((await dies(theCase.id, p2.partyId, daysAgo(2))).parties[1]).toMatchObject({ status: "died" });
  },
);

test("casework.moveParty: a death of a day before they answered is no contradiction, because somebody else may have", async () => {
  const { theCase, p2 } = await aCase(practice, ledBy(practice.ownerId));
  await mayContact(theCase);
  const answered = { $set: { "parties.1.respondedOn": daysAgo(2), "parties.1.status": "responded" } };
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, answered);
  expect((await dies(theCase.id, p2.partyId, daysAgo(3))).parties[1]).toMatchObject({ status: "died" });
});

test.each(["here", "elsewhere"])(
  "casework.moveParty: a death of a day before their MIAM (%s), when that is recorded, is refused until its record is struck",
  async (where) => {
    const { api, ownerId } = practice;
    const { theCase, p2 } = await aCase(practice, ledBy(ownerId));
    await mayContact(theCase);
    const whose = { caseId: theCase.id, partyId: p2.partyId };
    const attendedOn = daysAgo(10);
    const { id, version } =
      where === "here"
        ? await api.assessments.record.mutate(anAssessment({ ...whose, mediatorId: ownerId }, { attendedOn }))
        : await api.assessments.recordElsewhere.mutate(aMiamElsewhere(whose, { attendedOn }));
    const { fields } = await refusal(dies(theCase.id, p2.partyId, daysAgo(20)));
    expect(fields).toEqual({ on: expect.stringContaining("came to a first meeting") });
    await api.assessments.strike.mutate({ id, version, reason: "It was her sister" });
    expect((await dies(theCase.id, p2.partyId, daysAgo(20))).parties[1]).toMatchObject({ status: "died" });
  },
);

test("meetings.setAttendance and setStatus: whoever died is marked as having come to no later meeting, and to earlier ones", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(ownerId));
  await metBefore(practice, theCase.id, daysAgo(10));
  const meet = (day: string, partyIds: string[], type: "call" | "mediation" = "call") =>
    api.meetings.create.mutate(
      aMeetingInput(ownerId, {
        caseId: theCase.id,
        type,
        partyIds,
        startsAt: `${day}T10:00:00.000Z`,
        endsAt: `${day}T11:00:00.000Z`,
        allowsOverlap: true,
      }),
    );
  const both = [p1.partyId, p2.partyId];
  const [before, after, alone] = [
    await meet(daysAgo(4), both),
    await meet(daysAgo(2), both),
    await meet(daysAgo(2), [p2.partyId]),
  ];
  await dies(theCase.id, p2.partyId, daysAgo(3));
  const mark = ({ id }: { id: string }, attendance: "present" | "no_show") =>
    api.meetings.setAttendance.mutate({ id, partyId: p2.partyId, attendance, unmetReason: "As it was" });
  expect((await refusal(mark(after, "present"))).fields).toEqual({
    attendance: expect.stringContaining("P2 is recorded as dead since"),
  });
  await mark(after, "no_show");
  await mark(before, "present");
  const { id, version } = alone;
  const done = { id, version, to: "completed" as const, unmetReason: "As it was" };
  expect((await refusal(api.meetings.setStatus.mutate(done))).fields).toHaveProperty("attendance");
});
