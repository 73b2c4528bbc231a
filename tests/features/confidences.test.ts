// Whether what one party says apart is kept from the others: the agreement that they sign says so.
import { newId } from "@app/server/core/ids";
import { noAgreementsYet, signaturesOfAgreements } from "@app/server/features/cases/case-agreements.migration";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import { mayHold, mayHoldFinances, usualConfidences } from "@app/shared/confidences";
import type { StoredFile } from "@app/shared/files";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aPractice } from "../support/server/people.ts";
import { aSignedCase, sign, SIGNED_ON, standingAt } from "../support/server/signed.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const NOT_HELD = { code: "BAD_REQUEST", message: expect.stringContaining("keeps no confidences") };

const write = ({ id: caseId }: Case, kind: "caucus" | "file_note" | "separate" | "private", visibility: Visibility) =>
  practice.api.notes.create.mutate({
    id: newId(),
    caseId,
    clientId: null,
    kind,
    visibility,
    body: richTextOf("Would move out by spring"),
  });

async function aSession({ id: caseId }: Case): Promise<string> {
  const session = await practice.api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
  return session.id;
}

const offer = (sessionId: string, byPartyId: string, visibility: Visibility) =>
  practice.api.sessions.addProposal.mutate({
    id: sessionId,
    changeId: newId(),
    proposalId: newId(),
    issue: "Home",
    text: "Half the house",
    byPartyId,
    visibility,
    countersId: null,
    release: null,
  });

/** Signed anew by these of the parties, or by all. */
const change = ({ id, version, parties }: Case, to: "kept" | "none", indexes = [0, 1], on = SIGNED_ON) =>
  practice.api.casework.changeConfidences.mutate({
    id,
    version,
    to,
    reason: "Both asked for it",
    signatures: parties.filter((_, index) => indexes.includes(index)).map(({ partyId }) => ({ partyId, on })),
  });

const correct = ({ id, version }: Case, what: { partyId?: string; of?: "step" | "confidences" }) =>
  practice.api.casework.correct.mutate({ id, version, partyId: "", reason: "The wrong one", ...what });

const linesOf = async (clientId: string) =>
  (await practice.api.timeline.list.query({ clientId })).items.map(({ text }) => text).join("\n");

describe("what the agreement says", () => {
  test("casework.moveParty: when the first party signs, then what the agreement says is asked and kept with the case", async () => {
    const { theCase, first } = await aCase(practice);
    const ready = await standingAt(practice, theCase.id, ["suitable", "suitable"]);
    expect(ready.confidences).toBeNull();
    expect(await refusal(sign(practice, ready, { confidences: null }))).toMatchObject({
      code: "BAD_REQUEST",
      fields: { confidences: expect.any(String) },
    });
    expect((await practice.api.cases.get.query({ id: theCase.id })).parties[0]?.status).toBe("suitable");
    const signed = await sign(practice, ready, { confidences: "none" });
    expect(signed).toMatchObject({ confidences: "none", agreements: [{ from: null, to: "none", on: SIGNED_ON }] });
    expect(await linesOf(first.id)).toContain("Agreement to mediate, confidences: none between participants");
  });

  test("casework.moveParty: when the second signs something else, then it is refused, and the same goes", async () => {
    const { theCase } = await aSignedCase(practice, "kept", { isSecondSigned: false });
    expect(await refusal(sign(practice, theCase, { index: 1, confidences: "none" }))).toMatchObject({
      fields: { confidences: expect.stringContaining("something else") },
    });
    expect(await sign(practice, theCase, { index: 1, confidences: "kept" })).toMatchObject({
      confidences: "kept",
      agreements: [{ to: "kept" }],
    });
  });

  test("casework.changeConfidences: before anybody signed and for what is so already it is refused; else it is told with its reason", async () => {
    const { theCase: unsigned } = await aCase(practice);
    expect(await refusal(change(unsigned, "none"))).toMatchObject({ code: "PRECONDITION_FAILED" });
    const { theCase, first } = await aSignedCase(practice, "none");
    expect(await refusal(change(theCase, "none"))).toMatchObject({ fields: { to: expect.any(String) } });
    expect(await refusal(change(theCase, "kept", [0, 1], "2999-01-01"))).toMatchObject({
      fields: { "signatures.0.on": expect.stringContaining("future") },
    });
    expect(await refusal(change(theCase, "kept", []))).toMatchObject({ fields: { signatures: expect.any(String) } });
    const { id, version } = theCase;
    const signatures = [{ partyId: theCase.parties[0]?.partyId ?? "", on: SIGNED_ON }];
    const why = practice.api.casework.changeConfidences.mutate({ id, version, to: "kept", reason: ".", signatures });
    expect(await refusal(why)).toMatchObject({ fields: { reason: "Say why there is a new agreement" } });
    expect(await change(theCase, "kept")).toMatchObject({
      confidences: "kept",
      agreements: [{ to: "none" }, { from: "none", to: "kept", reason: "Both asked for it", partyId: null }],
    });
    expect(await linesOf(first.id)).toContain("(Both asked for it)");
  });

  test("casework.changeConfidences: while one of two has signed the new words, what was signed before holds, until the other has", async () => {
    const { theCase, p1, p2, first } = await aSignedCase(practice, "none");
    const half = await change(theCase, "kept", [0]);
    expect(half).toMatchObject({
      confidences: "none",
      newAgreement: { to: "kept", reason: "Both asked for it", signatures: [{ partyId: p1.partyId, on: SIGNED_ON }] },
    });
    expect(await refusal(write(half, "caucus", caucusOf(p1.partyId)))).toMatchObject(NOT_HELD);
    const whole = await change(half, "kept", [1], "2026-01-07");
    expect(whole).toMatchObject({
      confidences: "kept",
      newAgreement: null,
      agreements: [
        { to: "none", signatures: [] },
        { from: "none", to: "kept", on: "2026-01-07", signatures: [{ on: SIGNED_ON }, { partyId: p2.partyId }] },
      ],
    });
    await write(whole, "caucus", caucusOf(p1.partyId));
    expect(await linesOf(first.id)).toContain("New agreement signed by P2");
  });

  test("casework.changeConfidences: who never signed does not sign the new words; when the last who had not signed them leaves, they count", async () => {
    const { theCase: unsigned } = await aSignedCase(practice, "kept", { isSecondSigned: false });
    expect(await refusal(change(unsigned, "none", [1]))).toMatchObject({
      fields: { "signatures.0.partyId": expect.stringContaining("has signed the agreement") },
    });
    const { theCase, p2 } = await aSignedCase(practice, "kept");
    const { id, version, confidences } = await change(theCase, "none", [0]);
    expect(confidences).toBe("kept");
    const step = { id, version, partyId: p2.partyId, to: "withdrawn" as const, on: SIGNED_ON, reason: "No more" };
    expect(await practice.api.casework.moveParty.mutate(step)).toMatchObject({
      confidences: "none",
      newAgreement: null,
    });
  });

  test("casework.correct: when not everybody has signed the new words, then they are given up and nothing else changes", async () => {
    const { theCase } = await aSignedCase(practice, "none");
    const back = await correct(await change(theCase, "kept", [0]), { of: "confidences" });
    expect(back).toMatchObject({ confidences: "none", newAgreement: null, agreements: [{ to: "none" }] });
  });

  test("casework.changeConfidences: of signatures that nobody said the words of, when one signs that none are kept, then nothing more is held", async () => {
    const { theCase, p1 } = await aCase(practice);
    const standing = await standingAt(practice, theCase.id, ["active", "active"]);
    const half = await change(standing, "none", [1]);
    expect(half.confidences).toBeNull();
    expect(await refusal(write(half, "caucus", caucusOf(p1.partyId)))).toMatchObject(NOT_HELD);
  });

  test("signaturesOfAgreements: of what was stored before nobody signed anew, however often it runs, and what was since stays", async () => {
    const { theCase } = await aSignedCase(practice, "none");
    const signed = await change((await aSignedCase(practice, "none")).theCase, "kept");
    const before = { newAgreement: "", "agreements.0.signatures": "" };
    await CaseModel.collection.updateOne({ caseRef: theCase.caseRef }, { $unset: before });
    await signaturesOfAgreements();
    await signaturesOfAgreements();
    const read = await practice.api.cases.get.query({ id: theCase.id });
    expect(read).toMatchObject({ newAgreement: null, agreements: [{ to: "none", signatures: [] }] });
    expect(await practice.api.cases.get.query({ id: signed.id })).toMatchObject({ agreements: signed.agreements });
  });

  test("casework.correct: when a new agreement was none, then what was signed before stands again, and no further back", async () => {
    const { theCase, first } = await aSignedCase(practice, "none");
    const back = await correct(await change(theCase, "kept"), { of: "confidences" });
    expect(back).toMatchObject({ confidences: "none", agreements: [{ to: "none" }] });
    expect(back.parties.map(({ status }) => status)).toEqual(["agreement_signed", "agreement_signed"]);
    expect(await linesOf(first.id)).toContain("Corrected: confidences back to: none");
    expect(await refusal(correct(back, { of: "confidences" }))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });

  test("casework.correct: when the first signature is taken back, then it set nothing, unless another has signed since", async () => {
    const alone = await aSignedCase(practice, "none", { isSecondSigned: false });
    const unsigned = await correct(alone.theCase, { partyId: alone.p1.partyId });
    expect(unsigned).toMatchObject({ confidences: null, agreements: [] });
    const both = await aSignedCase(practice, "none");
    expect(await correct(both.theCase, { partyId: both.p1.partyId })).toMatchObject({ confidences: "none" });
  });

  test("casework.move: when a case comes back to mediation, the first to sign says anew what is kept, and what held before returns with a step taken back", async () => {
    const { theCase } = await aSignedCase(practice, "kept");
    const { move } = stepping(practice);
    const { api, ownerId } = practice;
    const over = { status: "terminated", ending: "broken_down", "parties.$[].consentedOn": SIGNED_ON };
    await CaseModel.updateOne({ _id: theCase.id, ownerId }, { $set: over });
    await stepping(practice).decide(theCase.id);
    const fresh = () => api.cases.get.query({ id: theCase.id });
    expect(await move(await fresh(), "assessing")).toMatchObject({ confidences: null, agreements: [{ to: "kept" }] });
    expect(await correct(await fresh(), {})).toMatchObject({ status: "terminated", confidences: "kept" });
    await move(await fresh(), "assessing");
    const reading = api.casework.correctAgreement.mutate({ ...at(await fresh()), to: "none", reason: "Misread" });
    expect((await refusal(reading)).message).toContain("asked when the first party signs");
    const ready = await standingAt(practice, theCase.id, ["suitable", "suitable"]);
    const on = new Date().toISOString().slice(0, 10);
    const step = { partyId: ready.parties[0]?.partyId ?? "", to: "agreement_signed", on, reason: "" } as const;
    const signed = await api.casework.moveParty.mutate({ ...at(ready), ...step, confidences: "none" });
    expect(signed).toMatchObject({ confidences: "none", agreements: [{ to: "kept" }, { from: null, to: "none" }] });
  });

  test("noAgreementsYet: of what was stored before nobody said anything, and what was said since stays, however often it runs", async () => {
    const { theCase } = await aCase(practice);
    const signed = await aSignedCase(practice, "kept");
    const fields = { confidences: "", agreements: "", disclosures: "" };
    await CaseModel.collection.updateOne({ caseRef: theCase.caseRef }, { $unset: fields });
    await noAgreementsYet();
    await noAgreementsYet();
    const read = await practice.api.cases.get.query({ id: theCase.id });
    expect(read).toMatchObject({ confidences: null, agreements: [], disclosures: [] });
    expect((await practice.api.cases.get.query({ id: signed.theCase.id })).confidences).toBe("kept");
  });
});

describe("where none are kept", () => {
  test("notes.create: when it would be in a party's confidence, then it is refused kindly, and can be shared instead", async () => {
    const { theCase, p1, p2 } = await aSignedCase(practice, "none");
    expect(await refusal(write(theCase, "caucus", caucusOf(p1.partyId)))).toMatchObject(NOT_HELD);
    expect(await refusal(write(theCase, "file_note", forParty(p2.partyId)))).toMatchObject(NOT_HELD);
    const about: Visibility = { ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] };
    expect(await refusal(write(theCase, "caucus", about))).toMatchObject(NOT_HELD);
    const note = await write(theCase, "separate", PRACTICE_ONLY);
    expect(note.visibility.aboutPartyIds).toEqual([]);
    await write(theCase, "private", MEDIATOR_ONLY);
    await write(theCase, "separate", { scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] });
  });

  test("notes.create: what can be shared, when it is in somebody's confidence, then it is another kind of note", async () => {
    const { theCase, p1 } = await aSignedCase(practice, "kept");
    expect(await refusal(write(theCase, "separate", caucusOf(p1.partyId)))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("files: what would be in a party's confidence is refused by upload, move and release as a note is, and before they signed it is theirs", async () => {
    const { theCase, p1, p2, first } = await aSignedCase(practice, "none", { isSecondSigned: false });
    const { files } = practice.api;
    const upload = (caseId: string, visibility: Visibility) => {
      const input = { id: newId(), name: "plan.txt", clientId: first.id, caseId, visibility };
      return fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
        method: "POST",
        headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
        body: newId(),
      });
    };
    const put = async (caseId: string, visibility: Visibility): Promise<StoredFile> => {
      const reply = await upload(caseId, visibility);
      expect(reply.status).toBe(201);
      return reply.json();
    };
    const own: Visibility = { ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] };
    for (const readers of [caucusOf(p1.partyId), forParty(p1.partyId), own]) {
      const refused = await upload(theCase.id, readers);
      expect([refused.status, await refused.text()]).toEqual([400, NOT_HELD.message]);
    }
    const before = await practice.api.casework.create.mutate(aCaseInput([first.id]));
    const same = before.parties[0]?.partyId ?? "";
    const { id: held } = await put(before.id, caucusOf(same));
    const moved = files.move.mutate({ ids: [held], clientId: first.id, caseId: theCase.id });
    expect(await refusal(moved)).toMatchObject(NOT_HELD);
    const { id, name } = await put(theCase.id, PRACTICE_ONLY);
    const release = { id, newId: newId(), readers: forParty(p1.partyId), consent: null };
    expect(await refusal(files.release.mutate(release))).toMatchObject(NOT_HELD);
    expect((await put(theCase.id, caucusOf(p2.partyId))).visibility).toEqual(caucusOf(p2.partyId));
    // For one party's eyes it may be, and stays theirs where it is narrowed.
    const shown = await put(theCase.id, { scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] });
    const change = { id: shown.id, version: 0, name, tags: [], visibility: PRACTICE_ONLY };
    expect((await files.update.mutate(change)).visibility).toEqual(caucusOf(p1.partyId));
  });

  test("notes.create: who has not signed yet, such as at their MIAM, when they say something, then it is theirs", async () => {
    const { theCase, p1, p2 } = await aSignedCase(practice, "none", { isSecondSigned: false });
    expect(await refusal(write(theCase, "caucus", caucusOf(p1.partyId)))).toMatchObject(NOT_HELD);
    expect((await write(theCase, "caucus", caucusOf(p2.partyId))).partyId).toBe(p2.partyId);
  });

  test("notes.create: what was said at a MIAM, when it is written after everybody signed that none are kept, then it is theirs, and nobody else's", async () => {
    const owner = await anAuthorisedPractice(app);
    const { theCase, p1, p2 } = await aSignedCase(owner, "none");
    const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: owner.ownerId };
    const { id: assessmentId, version } = await owner.api.assessments.record.mutate(anAssessment(whose));
    const said = (visibility: Visibility, named: string | undefined = assessmentId) =>
      owner.api.notes.create.mutate({
        id: newId(),
        caseId: theCase.id,
        clientId: null,
        kind: "caucus",
        visibility,
        body: richTextOf("Would move out by spring"),
        ...(named ? { assessmentId: named } : {}),
      });
    expect(await refusal(said(caucusOf(p1.partyId), ""))).toMatchObject(NOT_HELD);
    expect(await refusal(said(caucusOf(p2.partyId)))).toMatchObject({ fields: { visibility: expect.any(String) } });
    const both: Visibility = { ...PRACTICE_ONLY, aboutPartyIds: [p1.partyId, p2.partyId] };
    expect(await refusal(said(both))).toMatchObject({ fields: { visibility: expect.any(String) } });
    const note = await said(caucusOf(p1.partyId));
    expect(note).toMatchObject({ partyId: p1.partyId, assessmentId, visibility: caucusOf(p1.partyId) });
    const shown = await owner.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId });
    expect(JSON.stringify(shown)).not.toContain("by spring");
    const widened = { id: note.id, version: note.version, saveId: newId(), visibility: SHARED };
    expect(await refusal(owner.api.notes.update.mutate(widened))).toMatchObject({ code: "BAD_REQUEST" });

    const other = await aSignedCase(owner, "none");
    const elsewhere = owner.api.notes.create.mutate({
      id: newId(),
      caseId: other.theCase.id,
      clientId: null,
      kind: "caucus",
      visibility: caucusOf(other.p1.partyId),
      body: richTextOf("Of another case"),
      assessmentId,
    });
    expect(await refusal(elsewhere)).toMatchObject({ fields: { assessmentId: expect.any(String) } });
    await owner.api.assessments.strike.mutate({ id: assessmentId, version, reason: "They did not come" });
    expect(await refusal(said(caucusOf(p1.partyId)))).toMatchObject({ fields: { assessmentId: expect.any(String) } });
  });

  test("notes.update: what somebody said before they signed, when none are kept any more, then it stays theirs however it is narrowed", async () => {
    const { theCase, p1 } = await aCase(practice);
    const ready = await standingAt(practice, theCase.id, ["suitable", "suitable"]);
    const note = await write(ready, "file_note", { scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] });
    await sign(practice, ready, { confidences: "none" });
    const change = { id: note.id, version: note.version, saveId: newId(), visibility: PRACTICE_ONLY };
    expect((await practice.api.notes.update.mutate(change)).visibility).toEqual(caucusOf(p1.partyId));
  });

  test("sessions: a note and a proposal in confidence are refused, and as ones that can be shared they are kept", async () => {
    const { theCase, p1 } = await aSignedCase(practice, "none");
    const sessionId = await aSession(theCase);
    const inConfidence = { kind: "caucus" as const, visibility: caucusOf(p1.partyId), body: richTextOf("Apart") };
    const add = (note: { kind: "caucus" | "separate"; visibility: Visibility; body: typeof inConfidence.body }) =>
      practice.api.sessions.addNote.mutate({ sessionId, note: { id: newId(), ...note } });
    expect(await refusal(add(inConfidence))).toMatchObject(NOT_HELD);
    await add({ ...inConfidence, kind: "separate", visibility: PRACTICE_ONLY });
    expect(await refusal(offer(sessionId, p1.partyId, caucusOf(p1.partyId)))).toMatchObject(NOT_HELD);
    const { proposals } = await offer(sessionId, p1.partyId, PRACTICE_ONLY);
    expect(proposals).toMatchObject([{ privilege: "without_prejudice", visibility: PRACTICE_ONLY }]);
  });

  test("casework.changeConfidences: what was said in confidence before, when none are kept any more, then it stays as it was", async () => {
    const { theCase, p1, p2, first } = await aSignedCase(practice, "kept");
    const note = await write(theCase, "caucus", caucusOf(p1.partyId));
    await change(theCase, "none");
    expect((await practice.api.notes.get.query({ id: note.id })).visibility).toEqual(caucusOf(p1.partyId));
    expect(
      JSON.stringify(await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId })),
    ).not.toContain("by spring");
    expect(await linesOf(first.id)).toContain("Separate meeting note added");
  });
});

test("notes.create: when confidences are kept or nobody said, then a caucus is one, in the words of its kind of case", async () => {
  const { theCase, p1, first } = await aSignedCase(practice, "kept", { domain: "civil" });
  await write(theCase, "caucus", caucusOf(p1.partyId));
  expect(await linesOf(first.id)).toContain("Caucus note added");
  const unsaid = await aCase(practice);
  const standing = await standingAt(practice, unsaid.theCase.id, ["active", "active"]);
  await write(standing, "caucus", caucusOf(unsaid.p1.partyId));
});

test("the one rule: it refuses exactly what binds a party who has signed, and finances in family work whatever is kept", () => {
  const parties = [
    { partyId: "a", status: "active" as const },
    { partyId: "b", status: "miam_attended" as const },
  ];
  for (const domain of CASE_DOMAINS)
    for (const confidences of ["kept", "none", null] as const) {
      const theCase = { domain, confidences, parties };
      expect(mayHold(theCase, SHARED)).toBe(true);
      expect(mayHold(theCase, caucusOf("b"))).toBe(true);
      expect(mayHold(theCase, caucusOf("a"))).toBe(confidences !== "none");
      expect(mayHoldFinances(theCase, PRACTICE_ONLY)).toBe(true);
      expect(mayHoldFinances(theCase, caucusOf("b"))).toBe(true);
      expect(mayHoldFinances(theCase, caucusOf("a"))).toBe(domain !== "family" || confidences === null);
    }
  expect(usualConfidences("family")).toContain("Hybrid mediation, with lawyers present, keeps them");
  expect(usualConfidences("civil")).toContain("usually kept");
});
