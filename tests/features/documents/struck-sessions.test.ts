// What was written of a session that is struck later, and what becomes of the file of a document that is removed.
import { newId } from "@app/server/core/ids";
import type { DocumentContent } from "@app/shared/document-content";
import { SHARED } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, aTemplateOf } from "../../support/documents/case-documents.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { apart } from "../../support/server/apart.ts";
import { forAllTests } from "../../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../../support/server/people.ts";
import { linksOf, sendOut, signAs } from "../../support/server/signing.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { hold, mediated } = apart(practice);
const HERON = "Sell the shop at Heron Street";
const HELD: DocumentContent = doc(para("They met ", field("case.sessionsHeld"), "."));

/** A case with a session of both that is locked, in which something was proposed. */
async function mediatedCase() {
  const built = await mediated();
  const { sessions } = practice.api;
  const both = [built.p1.partyId, built.p2.partyId];
  const { id, lock } = await hold(built, both, "not_agreed", { isLeftOpen: true });
  const offer = { issue: "The shop", text: HERON, byPartyId: "joint", visibility: SHARED };
  const added = { ...offer, id, changeId: newId(), proposalId: newId(), countersId: null, release: null };
  await sessions.addProposal.mutate(added);
  await lock();
  const caseId = built.theCase.id;
  const strike = () =>
    sessions.move.mutate({ id, changeId: newId(), to: "struck", cancelReason: "It was in the case about money" });
  const tasks = async () =>
    (await practice.api.tasks.list.query({ caseId, isOpen: true })).items.map(({ title }) => title);
  return { ...built, caseId, strike, tasks };
}

async function written(caseId: string, name: string, content: DocumentContent, kind: "mou" | "letter" = "mou") {
  const templateId = await aTemplateOf(practice, content, { kind });
  return aDocument(practice, { caseId, templateId, privilege: "without_prejudice", name });
}

const finish = ({ id, version }: { id: string; version: number }) =>
  practice.api.documents.finish.mutate({ id, version });
const remove = ({ id }: { id: string }, isRemoved = true) =>
  practice.api.documents.setRemoved.mutate({ id, isRemoved });

async function filesOf(caseId: string, partyId: string): Promise<(string | undefined)[]> {
  const { items } = await practice.api.partyView.preview.query({ caseId, partyId });
  return items.filter(({ kind }) => kind === "file").map(({ title }) => title);
}

describe("a session that is struck", () => {
  test("sessions.move: documents that tell of it, when it is struck, are each named in a task, and others are not", async () => {
    const { caseId, strike, tasks } = await mediatedCase();
    await finish(await written(caseId, "Memorandum", doc(para("Words"))));
    await finish(await written(caseId, "Note of it", doc(para(`They thought of this: ${HERON}.`)), "letter"));
    await finish(await written(caseId, "Sessions so far", HELD, "letter"));
    await finish(await written(caseId, "Parking", doc(para("Park in the yard.")), "letter"));
    await strike();
    const titles = await tasks();
    for (const name of ["Memorandum", "Note of it", "Sessions so far"])
      expect(titles).toContainEqual(expect.stringContaining(`struck, and “${name}” tells of it`));
    expect(titles.join()).not.toContain("Parking");
  });

  test("documents.finish: a draft, when it tells of a session that was struck since, is not finished", async () => {
    const { caseId, strike } = await mediatedCase();
    const draft = await written(caseId, "Sessions so far", HELD, "letter");
    await strike();
    const { message } = await refusal(finish(draft));
    expect(message).toContain("“1 session”");
    expect(message).toContain("sessions that are not recorded");
  });
});

describe("a document that is removed", () => {
  test("documents.setRemoved: its file goes from the participants with it, its task ends, and both come back", async () => {
    const { caseId, p2, strike, tasks } = await mediatedCase();
    const done = await finish(await written(caseId, "Memorandum", doc(para("Words"))));
    expect(await filesOf(caseId, p2.partyId)).toContain("Memorandum.pdf");
    await strike();
    await remove(done);
    expect(await filesOf(caseId, p2.partyId)).not.toContain("Memorandum.pdf");
    expect((await tasks()).join()).not.toContain("Memorandum");
    await remove(done, false);
    expect(await filesOf(caseId, p2.partyId)).toContain("Memorandum.pdf");
  });

  test("documents.setRemoved: while it is out to be signed, is refused, and so is the deletion of its file", async () => {
    const { caseId, p1 } = await mediatedCase();
    const done = await finish(await written(caseId, "Memorandum", doc(para("Words"))));
    const made = await sendOut(practice, done.fileId ?? "", [p1.partyId]);
    expect((await refusal(remove(done))).message).toContain("Withdraw it first");
    const deleted = practice.api.files.remove.mutate({ ids: [done.fileId ?? ""] });
    expect((await refusal(deleted)).message).toContain("is out to be signed");
    expect((await practice.api.documents.list.query({ caseId, page: 1 })).items).toHaveLength(1);
    await practice.api.signatures.void.mutate({ id: made.id, reason: "The wrong paper" });
    expect((await remove(done)).isRemoved).toBe(true);
  });

  test("documents.setRemoved: once it was signed, leaves its signed copy with who signed it, and a task says so", async () => {
    const { caseId, p1, p2, tasks } = await mediatedCase();
    const done = await finish(await written(caseId, "Memorandum", doc(para("Words"))));
    const made = await sendOut(practice, done.fileId ?? "", [p1.partyId]);
    const token = (await linksOf(practice))[p1.partyId] ?? "";
    await signAs(aVisitor(app), token);
    const { sealedFileId } = await practice.api.signatures.get.query({ id: made.id });
    await remove(done);
    expect(await filesOf(caseId, p2.partyId)).toEqual(["Memorandum (signed).pdf"]);
    expect(await tasks()).toContainEqual(expect.stringContaining("“Memorandum (signed).pdf” is still with"));
    expect((await aVisitor(app).api.signatures.signing.open.mutate({ token })).state).toBe("complete");
    const { message } = await refusal(practice.api.files.remove.mutate({ ids: [sealedFileId ?? ""] }));
    expect(message).toContain("they can download it until");
    await remove(done, false);
    expect((await tasks()).join()).not.toContain("(signed)");
  });
});
