import { clock } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { FileModel } from "@app/server/features/files/files.model";
import { DocumentModel } from "@app/server/features/documents/documents.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { fieldsIn, linesOf, missingIn } from "@app/shared/document-walk";
import { forParty, PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import { describe, expect, test, vi } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import {
  aDocument,
  allMediated,
  aTemplateOf,
  consentsOf,
  everybodySigned,
} from "../../support/documents/case-documents.ts";
import { doc, field, forEach, heading, para, table, when } from "../../support/documents/content.ts";
import { wordsOfPdf } from "../../support/hostile/pdf-text.ts";
import { aCase, aPractice, aStaffUser, clientFields } from "../../support/server/people.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aSignedCase } from "../../support/server/signed.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));

const to = (partyId: string) => ({ kind: "party" as const, partyId });
const ofPractice = { kind: "practice" as const, partyId: null };

/** A letter that says who reads it, where they live, and who the others are. */
const LETTER = doc(
  para(field("client.fullName")),
  para(field("client.address", "no address")),
  para("With ", field("otherParty.fullName", "somebody")),
  para("Children: ", field("children.names", "none that we may name")),
);

const bytesOf = async (fileId: string): Promise<Uint8Array> => {
  const response = await fetch(`${app.url}/files/${fileId}`, { headers: { cookie: practice.cookies() } });
  return new Uint8Array(await response.arrayBuffer());
};

describe("documents of a case", () => {
  test("documents.create: for one party, then it says what is theirs and is for their eyes alone", async () => {
    const { theCase, p1, first } = await aCase(practice);
    const templateId = await aTemplateOf(practice, LETTER);
    const made = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p1.partyId) });
    expect(linesOf(made.content)).toEqual([
      first.displayName,
      "4 Kiln Row\nLS6 2QX\nUnited Kingdom",
      expect.stringMatching(/^With Owen Castell/),
      "Children: none that we may name",
    ]);
    expect(made).toMatchObject({ status: "draft", visibility: forParty(p1.partyId), kind: "letter", version: 0 });
    const stored = await DocumentModel.findOne({ ownerId: practice.ownerId, _id: made.id }).lean();
    expect(stored?.said).toMatchObject({ "client.fullName": first.displayName });
  });

  test("documents.create: for somebody who is not to hear yet who asked, then nobody is named", async () => {
    const { theCase, p2, first } = await aCase(practice, { children: [] });
    const templateId = await aTemplateOf(practice, LETTER);
    const made = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p2.partyId) });
    expect(linesOf(made.content)[2]).toBe("With somebody");
    expect(JSON.stringify(made.content)).not.toContain(first.lastName);
  });

  test("documents.create: for all together, before all were told of each other, then it is refused in words", async () => {
    const { theCase, p2 } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para(field("parties.names"))));
    const { code, fields } = await refusal(aDocument(practice, { caseId: theCase.id, templateId }));
    expect([code, fields["addressee"]]).toEqual([
      "BAD_REQUEST",
      expect.stringContaining(`${p2.name} (P2) has not been told`),
    ]);
    await everybodySigned(practice, theCase.id);
    const made = await aDocument(practice, { caseId: theCase.id, templateId });
    expect(linesOf(made.content)[0]).toMatch(/^Priya Nandakumar\d+ and Owen Castell\d+$/);
    expect(made.visibility).toEqual(SHARED);
  });

  test("documents.create: an address that is confidential is never put in, whoever it is for", async () => {
    const { theCase, p1, first } = await aCase(practice);
    const { version } = await practice.api.clients.get.query({ id: first.id });
    const { firstName, lastName, email } = first;
    const client = clientFields({ firstName, lastName, email, phones: [], isAddressConfidential: true });
    await practice.api.clients.update.mutate({ id: first.id, version, client });
    const templateId = await aTemplateOf(practice, LETTER);
    const made = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p1.partyId) });
    expect(linesOf(made.content)[1]).toBe("no address");
    expect(JSON.stringify(made)).not.toContain("Kiln Row");
  });

  test("documents.create: what is in one party's confidence has no other for whom it could be", async () => {
    const { theCase, p1 } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const place = { caseId: theCase.id, templateId };
    const joint = aDocument(practice, { ...place, addressee: { kind: "joint", partyId: p1.partyId } });
    expect(await refusal(joint)).toMatchObject({ code: "BAD_REQUEST" });
    const kept = await aDocument(practice, { ...place, addressee: { kind: "practice", partyId: p1.partyId } });
    expect(kept.visibility).toEqual({ scope: "staff", partyIds: [], aboutPartyIds: [p1.partyId] });
  });

  test("documents.create: a kind that is always marked so is marked so, and for those whom it is for", async () => {
    const { theCase, p1 } = await aCase(practice);
    await everybodySigned(practice, theCase.id);
    const templateId = await aTemplateOf(practice, doc(para("x")), { kind: "mou" });
    const place = { caseId: theCase.id, templateId };
    expect((await refusal(aDocument(practice, { ...place, privilege: "open" }))).fields["privilege"]).toMatch(
      /always marked/,
    );
    const forOne = aDocument(practice, { ...place, privilege: "without_prejudice", addressee: to(p1.partyId) });
    expect((await refusal(forOne)).fields["addressee"]).toMatch(/is for others/);
    const made = await aDocument(practice, { ...place, privilege: "without_prejudice" });
    const { id, version } = made;
    expect(await refusal(practice.api.documents.mark.mutate({ id, version, privilege: "none" }))).toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  test("documents.create: sessions and children of a case, when it is for all, are named", async () => {
    const child = { childId: newId(), firstName: "Mila", dateOfBirth: "2017-03-02", livesWith: "", cim: NOT_INCLUDED };
    const { theCase } = await aCase(practice, { children: [child] });
    await everybodySigned(practice, theCase.id);
    vi.spyOn(clock, "now").mockReturnValue(new Date("2026-11-17T10:00:00Z"));
    const content = doc(
      when("children", "is-missing", para("No children")),
      forEach("children", para(field("each.firstName"), ", ", field("each.age"))),
      forEach("parties", heading(2, "Of each"), para(field("each.fullName"))),
      table(["Name"], ["x"]),
      para(field("case.sessionsHeld", "no session yet")),
    );
    const templateId = await aTemplateOf(practice, content);
    const made = await aDocument(practice, { caseId: theCase.id, templateId });
    expect(linesOf(made.content)).toEqual([
      "Mila, 9",
      "Of each",
      expect.stringMatching(/^Priya/),
      "Of each",
      expect.stringMatching(/^Owen/),
      "Name",
      "x",
      "no session yet",
    ]);
  });

  test("documents: where the agreement keeps no confidences, a letter is for one party's eyes and in nobody's confidence", async () => {
    const { theCase, p1 } = await aSignedCase(practice, "none");
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const made = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p1.partyId) });
    expect(made.visibility).toEqual({ scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] });
  });
});

describe("finishing a document", () => {
  async function aDraft(
    content = doc(heading(1, "Dear all"), para("Łódź and more")),
    kind: "mou" | "letter" | "ofs" = "mou",
  ) {
    const { theCase } = await aCase(practice);
    await everybodySigned(practice, theCase.id);
    await allMediated(practice, theCase);
    const templateId = await aTemplateOf(practice, content, { kind });
    const privilege = kind === "mou" ? "without_prejudice" : kind === "ofs" ? "open" : "none";
    return {
      theCase,
      draft: await aDocument(practice, { caseId: theCase.id, templateId, privilege, name: "Our proposals" }),
    };
  }

  test("documents.finish: then it is a PDF on file, marked by force, for exactly its readers", async () => {
    const { draft, theCase } = await aDraft();
    const finished = await practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    expect(finished).toMatchObject({ status: "finished", unwritten: [], version: 1 });
    const file = await practice.api.files.get.query({ id: finished.fileId ?? "" });
    expect(file).toMatchObject({
      name: "Our proposals.pdf",
      mime: "application/pdf",
      caseId: theCase.id,
      visibility: SHARED,
      mark: { privilege: "without_prejudice", isFinancial: false },
    });
    const words = await wordsOfPdf(await bytesOf(file.id));
    expect(words).toContain("łódź and more");
    expect(words.match(/without prejudice/g)?.length).toBeGreaterThanOrEqual(3);
    expect(words).toContain("page 1 of 1");
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id });
    expect(items.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["Document “Our proposals” begun", "Document “Our proposals” finished"]),
    );
  });

  test("documents.finish: an open statement of what was not exchanged, once each consents, is filed as financial disclosure", async () => {
    const { draft, theCase } = await aDraft(undefined, "ofs");
    const finish = (consents: ReturnType<typeof consentsOf>) =>
      practice.api.documents.finish.mutate({ id: draft.id, version: 0, consents });
    const { consentsDue } = await practice.api.documents.look.query({ id: draft.id });
    expect(consentsDue.map(({ partyId }) => partyId)).toEqual(theCase.parties.map(({ partyId }) => partyId));
    const consents = consentsOf(theCase);
    for (const tried of [[], consents.slice(1), [...consents.slice(1), ...consents.slice(1)]])
      expect((await refusal(finish(tried))).fields["consents"]).toContain("each consent");
    const { fileId } = await finish(consents);
    const { mark } = await practice.api.files.get.query({ id: fileId ?? "" });
    expect(mark).toEqual({ privilege: "open", isFinancial: true });
  });

  test("documents.finish: a memorandum, when no session of two sides is recorded, is not finished", async () => {
    const { draft } = await aDraft();
    await SessionModel.deleteMany({ ownerId: practice.ownerId });
    const finish = practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    expect((await refusal(finish)).message).toContain("No session of two sides is recorded");
  });

  test("documents.look: signs that cannot be written, when a draft is looked at, are told, and its PDF is drawn, and nothing is filed", async () => {
    const { draft } = await aDraft(doc(para("Mira 😀 Stone")));
    expect((await practice.api.documents.look.query({ id: draft.id })).unwritten).toEqual(["😀"]);
    const headers = { cookie: practice.cookies() };
    const answer = await fetch(`${app.url}/export/documents/${draft.id}.pdf`, { headers });
    expect(await wordsOfPdf(new Uint8Array(await answer.arrayBuffer()))).toContain("mira □ stone");
    expect(await FileModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  });

  test("documents.finish: what is still to be written is named, and nothing is filed", async () => {
    const { draft } = await aDraft(doc(para(field("fill.feePerHour")), para(field("meeting.time"))), "letter");
    expect(missingIn(draft.content)).toEqual(["fill.feePerHour", "meeting.time"]);
    const { code, message } = await refusal(practice.api.documents.finish.mutate({ id: draft.id, version: 0 }));
    expect(code).toBe("PRECONDITION_FAILED");
    expect(message).toBe(
      "This is still to be written: To fill in: fee per hour, Time of the next meeting. Put words in its place, or take it out.",
    );
    expect(await FileModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  });

  test("documents.finish: where somebody writes on at that moment, then whichever was refused leaves nothing on file", async () => {
    const { theCase, draft } = await aDraft();
    const { id, name, content } = draft;
    const { api } = practice;
    const [finished] = await Promise.allSettled([
      api.documents.finish.mutate({ id, version: 0 }),
      api.documents.save.mutate({ id, version: 0, name, content }),
    ]);
    const { items } = await api.files.list.query({ clientId: theCase.parties[0]?.clientId ?? "" });
    expect(items.map((file) => file.name)).toEqual(finished.status === "fulfilled" ? [`${name}.pdf`] : []);
  });

  test("documents.finish: once more, and at once, then it is the same finished document, and nothing is filed again", async () => {
    const { draft } = await aDraft();
    const finish = () => practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    const [one, other] = await Promise.all([finish(), finish()]);
    expect(other).toEqual(one);
    expect(await finish()).toEqual(one);
    const older = practice.api.documents.finish.mutate({ id: draft.id, version: 1 });
    expect(await refusal(older)).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await FileModel.countDocuments({ ownerId: practice.ownerId })).toBe(1);
  });

  test("documents.finish: a sign that cannot be written is told, and marked in the file", async () => {
    const { draft } = await aDraft(doc(para("Mira 😀 Stone")), "letter");
    const finished = await practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    expect(finished.unwritten).toEqual(["😀"]);
    expect(await wordsOfPdf(await bytesOf(finished.fileId ?? ""))).toContain("mira □ stone");
  });

  test("documents.finish: an address that became confidential since it was begun does not leave", async () => {
    const { theCase, p1, first } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para(field("client.address"))));
    const draft = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p1.partyId) });
    const { version } = await practice.api.clients.get.query({ id: first.id });
    const { firstName, lastName, email } = first;
    const client = clientFields({ firstName, lastName, email, phones: [], isAddressConfidential: true });
    await practice.api.clients.update.mutate({ id: first.id, version, client });
    const { message } = await refusal(practice.api.documents.finish.mutate({ id: draft.id, version: 0 }));
    expect(message).toBe("This may not be said here any more: Postal address. Take it out.");
  });

  test.each([
    ["parties.names", para(field("parties.names"))],
    ["each name", forEach("parties", para(field("each.fullName")))],
  ])("documents.finish: %s, where the other asked meanwhile not to be named, does not leave", async (_what, block) => {
    const { theCase, p2 } = await aCase(practice);
    const setNamed = (isNamed: boolean) =>
      CaseModel.updateOne(
        { _id: theCase.id, ownerId: practice.ownerId },
        { $set: { "parties.0.contactAgreement.isNamed": isNamed } },
      );
    await setNamed(true);
    const templateId = await aTemplateOf(practice, doc(block));
    const draft = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p2.partyId) });
    await setNamed(false);
    const { message } = await refusal(practice.api.documents.finish.mutate({ id: draft.id, version: 0 }));
    expect(message).toContain("This may not be said here any more");
  });

  test("documents: a finished one is not changed, and a new draft of it begins with its words", async () => {
    const { draft } = await aDraft();
    await practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    const { id, name, content } = draft;
    const late = practice.api.documents.save.mutate({ id, version: 1, name, content });
    expect(await refusal(late)).toMatchObject({ code: "PRECONDITION_FAILED" });
    const next = await practice.api.documents.copy.mutate({ id: newId(), documentId: id });
    expect(next).toMatchObject({
      name: "New draft of Our proposals",
      status: "draft",
      content,
      privilege: "without_prejudice",
    });
  });
});

describe("who sees and writes a document", () => {
  test("documents: a draft in one party's confidence, for whoever may not read private notes, is not there", async () => {
    const { theCase, p1 } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const place = { caseId: theCase.id, templateId };
    const kept = await aDocument(practice, { ...place, addressee: { kind: "practice", partyId: p1.partyId } });
    const open = await aDocument(practice, { ...place, addressee: ofPractice });
    expect(open.visibility).toEqual(PRACTICE_ONLY);
    const caseworker = await aStaffUser(app, practice, { permissions: ["clients.read", "documents.manage"] });
    const { items } = await caseworker.api.documents.list.query({ caseId: theCase.id });
    expect(items.map(({ id }) => id)).toEqual([open.id]);
    expect(await refusal(caseworker.api.documents.open.query({ id: kept.id }))).toMatchObject({ code: "NOT_FOUND" });
    const own = aDocument(caseworker, { ...place, addressee: { kind: "practice", partyId: p1.partyId } });
    expect(await refusal(own)).toMatchObject({ code: "FORBIDDEN" });
  });

  test("documents.save: text, name and versions are kept, and what a template alone has is refused", async () => {
    const { theCase } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para("first")));
    const { id, name } = await aDocument(practice, { caseId: theCase.id, templateId, addressee: ofPractice });
    const save = (version: number, content = doc(para("second"))) =>
      practice.api.documents.save.mutate({ id, version, name, content });
    expect(await refusal(save(0, doc(when("children", "is-there", para("x")))))).toMatchObject({ code: "BAD_REQUEST" });
    expect(await save(0)).toMatchObject({ version: 1 });
    expect(await refusal(save(0))).toMatchObject({ code: "CONFLICT" });
    const colleague = await aStaffUser(app, practice, { permissions: ["clients.read", "documents.manage"] });
    await colleague.api.documents.save.mutate({ id, version: 1, name, content: doc(para("third")) });
    const { items } = await practice.api.documents.versions.query({ id });
    expect(items).toMatchObject([{ version: 1, savedByName: "Ines Marchbank" }]);
    const old = await practice.api.documents.version.query({ id, version: 1 });
    expect(linesOf(old.content)).toEqual(["second"]);
  });

  test("documents.setRemoved: it is out of the list, and back when it is brought back", async () => {
    const { theCase } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const { id } = await aDocument(practice, { caseId: theCase.id, templateId, addressee: ofPractice });
    const listed = async () => (await practice.api.documents.list.query({ caseId: theCase.id })).total;
    await practice.api.documents.setRemoved.mutate({ id, isRemoved: true });
    expect(await listed()).toBe(0);
    await practice.api.documents.setRemoved.mutate({ id, isRemoved: false });
    expect(await listed()).toBe(1);
  });

  test("documents: fields that were said are words of the document, whatever is known later", async () => {
    const { theCase, p1, first } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para(field("client.firstName"))));
    const made = await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p1.partyId) });
    const { version } = await practice.api.clients.get.query({ id: first.id });
    const client = clientFields({ firstName: "Anna", lastName: first.lastName, email: first.email, phones: [] });
    await practice.api.clients.update.mutate({ id: first.id, version, client });
    const opened = await practice.api.documents.open.query({ id: made.id });
    const content = opened.of === "document" ? opened.document.content : doc();
    expect(fieldsIn(content).map(({ attrs }) => attrs.said)).toEqual(["Priya"]);
  });

  test("casework.takeOutParty: somebody for whom a document was written stays in the case", async () => {
    const { theCase, p2 } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para("x")));
    await aDocument(practice, { caseId: theCase.id, templateId, addressee: to(p2.partyId) });
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    const taken = { id, version, partyId: p2.partyId, reason: "Added by mistake" };
    const { message } = await refusal(practice.api.casework.takeOutParty.mutate(taken));
    expect(message).toContain("a document was written");
  });
});
