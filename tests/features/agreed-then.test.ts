// A session that is written up later is judged by what stood on its day: who was in the case, had consented and had signed.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import type { PartyStatus } from "@app/shared/case-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { aMediatedCase, leading, TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, ledBy } from "../support/server/people.ts";
import { metBefore } from "../support/server/signed.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

/** Both consented, signed and were screened sixty days ago, and mediate since. */
async function mediating() {
  const { api, ownerId } = practice;
  const built = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: daysAgo(90) });
  const caseId = built.theCase.id;
  const fields = ["respondedOn", "intakeDoneOn", "consentedOn", "agreementSignedOn"];
  const days = Object.fromEntries(fields.map((one) => [`parties.$[].${one}`, daysAgo(60)]));
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { ...days, "parties.$[].steps.$[].on": daysAgo(60) } });
  await metBefore(practice, caseId, daysAgo(60));
  await ScreeningModel.updateMany({ caseId, ownerId }, { $set: { heldOn: daysAgo(60) } });
  const fresh = () => api.cases.get.query({ id: caseId });
  const consent = async (index: number, consentedOn: string) => {
    const theCase = await fresh();
    const party = theCase.parties[index];
    if (!party) throw new Error("there is no such party");
    const { partyId, side, role, representativeContactIds } = party;
    const fieldsOf = { partyId, side, role, representativeContactIds, consentedOn };
    await api.casework.updateParty.mutate({ ...at(theCase), ...fieldsOf });
  };
  return { ...built, caseId, fresh, consent, led: leading(practice, caseId) };
}

const record = (caseId: string, day: string, unmetReason = "") =>
  practice.api.sessions.record.mutate({
    id: newId(),
    caseId,
    meetingId: null,
    startedAt: `${day}T10:00:00.000Z`,
    endedAt: `${day}T11:00:00.000Z`,
    unmetReason,
  });

async function join(theCase: Parameters<typeof at>[0]) {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side: "" };
  return practice.api.casework.addParty.mutate({ ...at(theCase), changeId: newId(), party });
}

test("sessions.record: when somebody joined after that day, then nothing of their conflict check was missing; from then on it is", async () => {
  const { caseId, fresh } = await mediating();
  await join(await fresh());
  expect((await record(caseId, daysAgo(20))).unmet).toEqual([]);
  const words = "The conflict check of P3, who joined, was not decided.";
  await CaseModel.updateOne(
    { _id: caseId, ownerId: practice.ownerId },
    { $set: { "parties.2.joinedAt": new Date(`${daysAgo(10)}T09:00:00Z`) } },
  );
  expect((await refusal(record(caseId, daysAgo(5)))).fields?.["unmetReason"]).toContain(words);
  expect((await record(caseId, daysAgo(15))).unmet).toEqual([]);
});

test("sessions.record: when both were asked anew since because somebody joined, then they had consented before", async () => {
  const { caseId, fresh, led, consent } = await mediating();
  await join(await fresh());
  await led.clear();
  for (const index of [0, 1]) await consent(index, TODAY);
  expect((await record(caseId, daysAgo(20))).unmet).toEqual([]);
  const early = await refusal(record(caseId, daysAgo(61)));
  for (const label of ["P1", "P2"])
    expect(early.fields?.["unmetReason"]).toContain(`${label} had not consented to mediation.`);
});

test("sessions.record: when somebody left since, came back and signed again, then they had consented and signed before", async () => {
  const { caseId, fresh, led, consent, p2 } = await mediating();
  const step = async (to: PartyStatus, on: string) =>
    practice.api.casework.moveParty.mutate({
      ...at(await fresh()),
      partyId: p2.partyId,
      to,
      on,
      reason: "They rang",
      isOwnDecision: to === "withdrawn" ? true : null,
    });
  await step("withdrawn", daysAgo(20));
  await step("responded", daysAgo(15));
  await step("miam_attended", daysAgo(15));
  await led.screen(1);
  await consent(1, daysAgo(14));
  await step("agreement_signed", daysAgo(14));
  expect((await fresh()).parties[1]).toMatchObject({ consentedOn: daysAgo(14), agreementSignedOn: daysAgo(14) });
  expect((await record(caseId, daysAgo(25))).unmet).toEqual([]);
  const { fields } = await refusal(record(caseId, daysAgo(61)));
  for (const words of ["P2 had not consented to mediation.", "P2 had not signed the agreement to mediate."])
    expect(fields?.["unmetReason"]).toContain(words);
});
