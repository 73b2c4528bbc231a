// A MIAM that another service held is no coming to us, and what somebody only tells of one proves nothing.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { countedElsewhere } from "@app/server/features/assessments/assessments.migration";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { ElsewhereDetails } from "@app/shared/assessments";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aMiamElsewhere, anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const TOLD = { evidenceKind: "told", evidence: "P1 told us on the phone", accreditationNumber: "" } as const;

const built = forEachTest(() => aCase(practice, ledBy(practice.ownerId), { isAgreed: false }));
const caseNow = () => practice.api.cases.get.query({ id: built.theCase.id });
const partyNow = async (partyId = built.p2.partyId) =>
  (await caseNow()).parties.find((party) => party.partyId === partyId);
const elsewhere = (details: Partial<ElsewhereDetails> = {}, { partyId } = built.p2) =>
  practice.api.assessments.recordElsewhere.mutate(
    aMiamElsewhere({ caseId: built.theCase.id, partyId }, { attendedOn: daysAgo(20), ...details }),
  );
const attend = ({ partyId } = built.p1) =>
  practice.api.assessments.record.mutate(
    anAssessment({ caseId: built.theCase.id, partyId, mediatorId: practice.ownerId }, { attendedOn: daysAgo(0) }),
  );
const step = async (to: "responded" | "miam_attended" | "withdrawn", { partyId } = built.p2) =>
  practice.api.casework.moveParty.mutate({
    id: built.theCase.id,
    version: (await caseNow()).version,
    partyId,
    to,
    on: daysAgo(0),
    reason: "They rang us themselves",
    isOwnDecision: to === "withdrawn" ? true : null,
  });
const agree = async (isAgreed: boolean) =>
  practice.api.casework.recordContactAgreement.mutate({
    id: built.theCase.id,
    version: (await caseNow()).version,
    partyId: built.p1.partyId,
    isAgreed,
    isNamed: false,
    on: daysAgo(0),
  });
const book = () =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: [built.p2.partyId],
      type: "miam",
      isInvitationSent: true,
      allowsOverlap: true,
    }),
  );
const missingOf = async ({ partyId } = built.p2) =>
  (await practice.api.casework.invitations.query({ id: built.theCase.id })).missing.find(
    (each) => each.partyId === partyId,
  );
const previewOf = ({ partyId } = built.p2) =>
  practice.api.partyView.preview.query({ caseId: built.theCase.id, partyId });

test.each([
  ["only told", TOLD],
  ["proven", {}],
])(
  "assessments.recordElsewhere: one that is %s, of whom nobody asked, leaves them where they stand, and nothing reaches them",
  async (_what, details) => {
    const { id } = await elsewhere(details);
    expect(await partyNow()).toMatchObject({ status: "to_invite", miamOn: "" });
    expect((await missingOf())?.gaps.length).toBeGreaterThan(0);
    expect(await refusal(book())).toMatchObject({ code: "PRECONDITION_FAILED" });
    await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE));
    expect(await refusal(book())).toMatchObject({ code: "PRECONDITION_FAILED" });
    const { items } = await practice.api.assessments.list.query({ caseId: built.theCase.id });
    expect(items).toMatchObject([{ id, status: "held", origin: "elsewhere" }]);
  },
);

test("assessments.recordElsewhere: where whoever came first does not agree, it is kept, and nobody has to say that the other came", async () => {
  await attend();
  await agree(false);
  await elsewhere();
  expect(await partyNow()).toMatchObject({ status: "to_invite", miamOn: "", respondedOn: "" });
  expect(await refusal(book())).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("partyView.preview: what somebody only told of a MIAM elsewhere is neither in their record nor in their history", async () => {
  await step("responded");
  const told = await elsewhere(TOLD);
  expect(await partyNow()).toMatchObject({ status: "responded", miamOn: "" });
  expect(JSON.stringify(await previewOf())).not.toMatch(/MIAM/);
  await practice.api.assessments.strike.mutate({ id: told.id, version: told.version, reason: "Seen by now" });
  await elsewhere();
  expect(await partyNow()).toMatchObject({ status: "suitable", miamOn: daysAgo(20) });
  expect(JSON.stringify(await previewOf())).toContain("MIAM attended");
});

test("casework.moveParty: whoever answers brings the MIAM that another service held, and not once the answer is taken back", async () => {
  await elsewhere();
  await step("responded");
  expect(await partyNow()).toMatchObject({ status: "responded", miamOn: daysAgo(20) });
  const { version } = await caseNow();
  const back = { id: built.theCase.id, version, partyId: built.p2.partyId, reason: "It was somebody else" };
  await practice.api.casework.correct.mutate(back);
  expect(await partyNow()).toMatchObject({ status: "to_invite", miamOn: "" });
  expect(await refusal(book())).toMatchObject({ code: "PRECONDITION_FAILED" });
  await step("responded");
  await step("miam_attended");
  // They were screened before.
  expect(await partyNow()).toMatchObject({ status: "suitable", miamOn: daysAgo(20) });
});

test("casework.steps: what somebody only told of a MIAM elsewhere is neither an answer nor a first meeting", async () => {
  const move = async (to: "intake" | "assessing") =>
    practice.api.casework.move.mutate({ id: built.theCase.id, version: (await caseNow()).version, to, reason: "" });
  await move("intake");
  await elsewhere(TOLD);
  expect((await refusal(move("assessing"))).message).toContain("Nobody else has answered yet");
  await step("responded");
  await move("assessing");
  const blockersTo = async () => {
    const { items } = await practice.api.casework.steps.query({ id: built.theCase.id });
    return items.find(({ to }) => to === "ready")?.blockers;
  };
  expect(await blockersTo()).toContain("P2 has not attended their MIAM.");
  await elsewhere({ attendedOn: daysAgo(19) });
  expect(await blockersTo()).not.toContain("P2 has not attended their MIAM.");
});

test("casework.invitations: what whoever came first only told of their own MIAM elsewhere is no MIAM of theirs", async () => {
  const record = "Record the MIAM of P1.";
  const gaps = async () => (await missingOf())?.gaps.map(({ text }) => text);
  await elsewhere(TOLD, built.p1);
  expect(await gaps()).toContain(record);
  await elsewhere({ attendedOn: daysAgo(19) }, built.p1);
  expect(await gaps()).not.toContain(record);
});

test("assessments.recordElsewhere: after a certificate said that nobody else is willing, whoever signed it looks again", async () => {
  const { id: assessmentId } = await attend();
  await agree(true);
  await practice.api.casework.moveParty.mutate({
    id: built.theCase.id,
    version: (await caseNow()).version,
    partyId: built.p2.partyId,
    to: "refused",
    on: daysAgo(0),
    reason: "Said so",
    isOwnDecision: true,
  });
  await practice.api.certificates.issue.mutate({
    id: newId(),
    assessmentId,
    statements: ["none_willing"],
    replaceReason: "",
  });
  await elsewhere();
  expect(await partyNow()).toMatchObject({ status: "refused" });
  const { items } = await practice.api.tasks.list.query({ caseId: built.theCase.id, page: 1 });
  expect(items.map(({ title }) => title).join()).toContain("a MIAM elsewhere was recorded after it said");
});

test("countedElsewhere: whom a MIAM elsewhere had moved stands where they stood, however often it runs", async () => {
  await elsewhere();
  const at = new Date();
  const moved = { from: "to_invite", to: "miam_attended", at, since: at, reason: "", on: daysAgo(20), dayBefore: "" };
  const set = {
    "parties.1.status": "miam_attended",
    "parties.1.miamOn": daysAgo(20),
    "parties.1.steps": [{ ...moved, isOwnDecision: null }],
  };
  await CaseModel.updateOne({ _id: built.theCase.id }, { $set: set }).setOptions({ anyOwner: true });
  for (let times = 0; times < 2; times += 1) await countedElsewhere(createLogger("silent"));
  expect(await partyNow()).toMatchObject({ status: "to_invite", miamOn: "" });
});

test.each([
  ["only told", TOLD, "That P2 attended a MIAM elsewhere is not proven."],
  ["proven", {}, "Another participant attended a MIAM"],
])(
  "certificates.choices: beside a MIAM elsewhere that is %s, why it cannot be said that nobody else was willing is no more than is known",
  async (_what, details, because) => {
    await elsewhere(details);
    const { id: assessmentId } = await attend();
    const { statements } = await practice.api.certificates.choices.query({ assessmentId });
    const judged = statements.find(({ statement }) => statement === "none_willing");
    expect(judged).toMatchObject({ isAllowed: false, because: expect.stringContaining(because) });
    expect(judged?.because.includes("Another participant attended")).toBe(details !== TOLD);
  },
);
