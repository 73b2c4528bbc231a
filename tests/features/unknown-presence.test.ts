// What one participant's papers and steps tell of another who is not to be known of, who must not be asked, or who died.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, aClient, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const built = forEachTest(() => aCase(practice, ledBy(practice.ownerId), { isAgreed: false }));

const at = async () => {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  return { id, version };
};
const moved = async (partyId: string, to: "responded" | "refused" | "died", reason = "They rang") =>
  practice.api.casework.moveParty.mutate({
    ...(await at()),
    partyId,
    to,
    on: TODAY,
    reason,
    isOwnDecision: to === "refused" ? true : null,
  });
const attended = async ({ partyId }: { partyId: string }) =>
  practice.api.assessments.record.mutate(
    anAssessment({ caseId: built.theCase.id, partyId, mediatorId: practice.ownerId }, { attendedOn: TODAY }),
  );
const choice = async (assessmentId: string, statement: "separately" | "none_willing") =>
  (await practice.api.certificates.choices.query({ assessmentId })).statements.find(
    (one) => one.statement === statement,
  );

test.each([
  ["nobody asked whether they agree to contact", async () => undefined],
  [
    "they agreed, and were found not safe",
    async () => {
      const said = { partyId: built.p1.partyId, isAgreed: true, isNamed: false, on: TODAY };
      await practice.api.casework.recordContactAgreement.mutate({ ...(await at()), ...said });
      await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE));
    },
  ],
])(
  "certificates.choices: when whoever came first attended and %s, then the other's says nothing of it",
  async (_how, happens) => {
    await attended(built.p1);
    await happens();
    await moved(built.p2.partyId, "responded");
    const { id } = await attended(built.p2);
    expect(await choice(id, "separately")).toMatchObject({ isAllowed: false });
    const issued = practice.api.certificates.issue.mutate({
      id: newId(),
      assessmentId: id,
      statements: ["separately"],
      isHarmless: true,
      replaceReason: "",
    });
    expect(Object.keys((await refusal(issued)).fields)).toEqual(["statements"]);
  },
);

test("assessments.record: of whoever was not to be contacted it is said first how they got in touch", async () => {
  const said = { partyId: built.p1.partyId, isAgreed: false, isNamed: false, on: TODAY };
  await practice.api.casework.recordContactAgreement.mutate({ ...(await at()), ...said });
  const refused = await refusal(attended(built.p2));
  expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", message: expect.stringContaining("by themselves") });
  await moved(built.p2.partyId, "responded");
  expect(await attended(built.p2)).toMatchObject({ status: "held" });
});

test("certificates.choices: of whoever died it is not asked whether they are willing, and of nobody else it is not said", async () => {
  const { id } = await attended(built.p1);
  await mayContact(built.theCase);
  const third = await practice.api.clients.create.mutate(aClient({ email: `${newId()}@example.org`, phones: [] }));
  const party = { clientId: third.id, role: "respondent" as const, side: "" };
  const joined = await practice.api.casework.addParty.mutate({ ...(await at()), changeId: newId(), party });
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: joined.id, decision: "clear", reason: "" });
  await moved(joined.parties[2]?.partyId ?? "", "died", "");
  await moved(built.p2.partyId, "refused", "They wrote so");
  expect(await choice(id, "none_willing")).toMatchObject({ isAllowed: true });
});
