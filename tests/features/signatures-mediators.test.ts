// A mediator of the case signs beside its parties: signed in, in their place of the order.
import { clock } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ClientModel } from "@app/server/features/clients/clients.model";
import { SignatureModel } from "@app/server/features/signatures/signatures.model";
import { followSignatures } from "@app/server/features/signatures/going-on";
import { newId } from "@app/server/core/ids";
import { beforeEach, expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, aVisitor, ledBy, type TestPerson } from "../support/server/people.ts";
import { aReadyCase, linksOf, parties, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());

/** Of two parties and the owner, who mediates. */
async function sentOut(more: Parameters<typeof sendOut>[3] = {}) {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  await CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: ledBy(practice.ownerId) });
  const file = await storePdf(practice, theCase);
  const mediator = { kind: "mediator" as const, id: practice.ownerId };
  const signers = [mediator, ...parties([p1.partyId, p2.partyId])];
  const made = await sendOut(practice, file.id, [], { signers, ...more });
  return { theCase, p1, p2, made };
}

async function signOwn({ api }: Pick<TestPerson, "api">, id: string) {
  const { documentHash } = await api.signatures.own.open.mutate({ id });
  const mark = { name: "Mara Mediates", strokes: new Array<number[]>() };
  return api.signatures.own.sign.mutate({ id, documentHash, mark, hasSeenAll: true, agrees: true });
}

const openTasks = async () =>
  (await practice.api.tasks.list.query({})).items.filter(({ title }) => title.startsWith("Read and sign"));

test("signatures.own: a mediator signs first in order, signed in and asked by a task; the page of signatures names them as one", async () => {
  const { p1, p2, made } = await sentOut({ isInOrder: true, isAgreement: true, confidences: "kept" });
  expect(made.signers).toMatchObject([
    { kind: "mediator", state: "asked" },
    { state: "waiting" },
    { state: "waiting" },
  ]);
  expect(await linksOf(practice)).toEqual({});
  expect(await openTasks()).toMatchObject([{ assigneeId: practice.ownerId }]);

  expect(await signOwn(practice, made.id)).toMatchObject({ state: "signed" });
  expect(await openTasks()).toEqual([]);
  const first = (await linksOf(practice))[p1.partyId] ?? "";
  const page = await aVisitor(app).api.signatures.signing.open.mutate({ token: first });
  expect(JSON.stringify(page)).not.toContain("Mara");
  await signAs(aVisitor(app), first, "Anna");
  await signAs(aVisitor(app), (await linksOf(practice))[p2.partyId] ?? "", "Ben");

  const done = await practice.api.signatures.get.query({ id: made.id });
  expect(done.status).toBe("completed");
  const answer = await fetch(`${app.url}/files/${done.sealedFileId}`, { headers: { cookie: practice.cookies() } });
  const words = await wordsOfPdf(new Uint8Array(await answer.arrayBuffer()));
  for (const said of ["mara mediates", "signs as", "mediator"]) expect(words).toContain(said);
  expect(words).not.toContain("127.0.0.1");
  const { events } = await practice.api.signatures.trail.query({ id: made.id });
  expect(events.map(({ text }) => text).join("\n")).toMatch(/, mediator, signed in, agreed and signed/);
});

test("signatures.own: the same once more signs once, and a document that is withdrawn is signed no more", async () => {
  const { made } = await sentOut();
  await Promise.all([signOwn(practice, made.id), signOwn(practice, made.id).catch(() => null)]);
  await signOwn(practice, made.id);
  const { trail } = await SignatureModel.findOne({ _id: made.id, ownerId: practice.ownerId }).orFail().lean();
  expect(trail.filter(({ text }) => text.includes("agreed and signed"))).toHaveLength(1);
  const other = await sentOut();
  await practice.api.signatures.void.mutate({ id: other.made.id, reason: "The wrong paper" });
  expect(await openTasks()).toEqual([]);
  expect((await refusal(signOwn(practice, other.made.id))).code).toBe("PRECONDITION_FAILED");
});

test("signatures.own: when their time is over, then they sign no more, nor is a task left that nobody can do", async () => {
  const { made } = await sentOut();
  vi.spyOn(clock, "now").mockReturnValue(new Date(Date.now() + 15 * 86_400_000));
  await followSignatures(createLogger("silent"));
  const signer = { userId: practice.ownerId };
  const doc = await SignatureModel.findOne({ _id: made.id, ownerId: practice.ownerId }).orFail().lean();
  expect(doc.signers.find(({ userId }) => userId === signer.userId)).toMatchObject({ isLateTold: true });
  vi.restoreAllMocks();
  expect(await openTasks()).toEqual([]);
});

test("signatures.own: by a colleague who is not asked to sign, then nothing is there for them", async () => {
  const { made } = await sentOut();
  const colleague = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  expect((await refusal(signOwn(colleague, made.id))).code).toBe("NOT_FOUND");
});

test("signatures.create: of somebody who is no mediator of the case, or of mediators alone, is refused in words", async () => {
  const { theCase, p1 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const send = (signers: Parameters<typeof sendOut>[3] & object) => refusal(sendOut(practice, file.id, [], signers));
  const stranger = { kind: "mediator" as const, id: newId() };
  const asked = await send({ signers: [...parties([p1.partyId]), stranger] });
  expect(asked.fields["signers"]).toMatch(/mediators of this case/);
  const alone = await send({ signers: [{ kind: "mediator", id: practice.ownerId }] });
  expect(alone.fields["signers"]).toMatch(/at least one party/);
});

test("signatures.remind: of somebody who was told by a colleague, then it is a task again and not a letter that never leaves", async () => {
  const { theCase, p1 } = await aReadyCase(practice);
  await ClientModel.updateOne({ ownerId: practice.ownerId, _id: p1.clientId }, { $set: { email: "" } });
  const file = await storePdf(practice, theCase);
  const made = await sendOut(practice, file.id, [p1.partyId]);
  expect(made.signers[0]?.task).toMatch(/^Ask /);
  const before = (await practice.api.tasks.list.query({})).total;
  await practice.api.signatures.remind.mutate({ id: made.id, signerId: p1.partyId, changeId: newId() });
  expect((await practice.api.tasks.list.query({})).total).toBe(before + 1);
});
