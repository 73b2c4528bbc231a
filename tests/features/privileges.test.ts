// What may be said of a thing outside its case: marks of files, and what lets something out.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { disclosuresOfNothing } from "@app/server/features/cases/case-agreements.migration";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { marksOfFiles } from "@app/server/features/files/files.migration";
import { FileModel } from "@app/server/features/files/files.model";
import { storeFile } from "@app/server/features/files/files.service";
import { PERMISSIONS, ROLES } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { type Disclosure, type Ground, standingDisclosures } from "@app/shared/disclosures";
import { type FileMark, NO_MARK } from "@app/shared/files";
import type { MailDraft } from "@app/shared/mail-check";
import { PRIVILEGES } from "@app/shared/privileges";
import type { StaffRole } from "@app/shared/users";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anSmtpForAll, officeMail } from "../support/mail/mail-for-tests.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor, PASSWORD, scopeOf, type TestPerson } from "../support/server/people.ts";
import { aColleague } from "../support/server/signed-in.ts";
import { aSignedCase, SIGNED_ON } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { changeTeam } from "../support/visibility/case-team.ts";

const MINUTE_MS = 60_000;
const log = createLogger("silent");
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp(officeMail(smtp)));
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(() => aSignedCase(practice, "kept"));

const WITHOUT_PREJUDICE: FileMark = { privilege: "without_prejudice", isFinancial: false };
const CONFIDENTIAL: FileMark = { privilege: "confidential", isFinancial: false };
const FINANCIAL: FileMark = { privilege: "open", isFinancial: true };
const SOLICITOR = "own@law.example.org";
const OUTSIDER = "registry@court.example.org";

const ALL = PERMISSIONS.filter((each) => each !== "assigned_only" && each !== "notes.private.read");
type Caller = Pick<TestPerson, "api">;
async function aColleagueAs(role: StaffRole) {
  const invited = { email: `${newId()}@example.org`, firstName: "Tom", lastName: "Birch", password: PASSWORD };
  const { userId, cookies } = await aColleague(practice.ownerId, { ...invited, role, permissions: ALL });
  return { ...aVisitor(app, {}, cookies), userId };
}
const tom = forAllTests(() => aColleagueAs(ROLES.caseworker));
const hugh = forAllTests(() => aColleagueAs(ROLES.mediator));

const aFile = (visibility: Visibility, mark?: FileMark, caseId = built.theCase.id) =>
  storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), {
    clientId: null,
    caseId,
    name: "offer.txt",
    visibility,
    ...(mark ? { mark } : {}),
  });

const remark = async (
  id: string,
  mark: FileMark,
  { by = practice, markReason }: { by?: Caller; markReason?: string } = {},
) => {
  const { version, name, tags, visibility } = await practice.api.files.get.query({ id });
  const reason = markReason === undefined ? {} : { markReason };
  return by.api.files.update.mutate({ id, version, name, tags, visibility, mark, ...reason });
};

const aDraft = (overrides: Partial<MailDraft>) =>
  aLetterTo(built.first.email, {
    clientId: built.first.id,
    caseId: built.theCase.id,
    ...overrides,
  });
const at = (address: string) => ({ name: "", address });
const codesOf = async (draft: MailDraft) =>
  (await practice.api.compose.check.mutate(draft)).problems.map(({ code }) => code);
const send = (draft: MailDraft) => practice.api.compose.send.mutate({ id: newId(), ...draft, sendAt: null });

const aSession = () => practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });

async function stateOf(id: string) {
  const { items } = await practice.api.outbox.list.query({ clientId: built.first.id });
  return items.find((mail) => mail.id === id);
}

const today = () => new Date().toISOString().slice(0, 10);
const caseNow = () => practice.api.cases.get.query({ id: built.theCase.id });
const consentOf = ({ partyId }: { partyId: string }, on = today()) => ({ partyId, on, how: "In writing" });
const ORDER: Ground = { kind: "order", on: SIGNED_ON, reference: "Family Court, ZC26P01" };
const WHAT = "The two offers, to the Family Court";

const REPORT: Pick<Disclosure, "fileIds" | "to" | "hasReport"> = { fileIds: [], to: [], hasReport: true };

async function record(
  ground: Ground,
  {
    by = practice,
    disclosureId = newId(),
    ...told
  }: { by?: Caller; disclosureId?: string } & Partial<Pick<Disclosure, "fileIds" | "to">> = {},
): Promise<Case> {
  const { id, version } = await caseNow();
  const what = told.fileIds ? { fileIds: told.fileIds, to: told.to ?? [OUTSIDER], hasReport: false } : REPORT;
  return by.api.casework.recordDisclosure.mutate({ id, version, disclosureId, what: WHAT, ...what, ground });
}

async function end(disclosureId: string): Promise<Case> {
  const { id, version } = await caseNow();
  return practice.api.casework.endDisclosure.mutate({ id, version, disclosureId, reason: "Taken back" });
}

async function aSolicitor() {
  const { id } = await practice.api.contacts.create.mutate(aContact({ email: SOLICITOR }));
  await practice.api.contacts.link.mutate({
    changeId: newId(),
    id,
    caseId: built.theCase.id,
    role: "solicitor",
    partyId: built.p1.partyId,
  });
}

describe("marks of files", () => {
  test("files: what nobody marked is not marked, and each list shows the files of one mark", async () => {
    const plain = await aFile(PRACTICE_ONLY);
    const marked = await aFile(PRACTICE_ONLY, WITHOUT_PREJUDICE);
    expect(plain.mark).toEqual(NO_MARK);
    const listed = async (privilege: (typeof PRIVILEGES)[number]) =>
      (await practice.api.files.list.query({ clientId: built.first.id, privilege })).items.map(({ id }) => id);
    expect(await listed("without_prejudice")).toEqual([marked.id]);
    expect(await listed("none")).toEqual([plain.id]);
  });

  test("files.update: financial disclosure, when it is marked otherwise than open, then that is refused", async () => {
    const { id } = await aFile(PRACTICE_ONLY);
    expect(await refusal(remark(id, { privilege: "confidential", isFinancial: true }))).toMatchObject({
      code: "BAD_REQUEST",
    });
    expect((await remark(id, FINANCIAL)).mark).toEqual(FINANCIAL);
  });

  test("files: financial disclosure in family work, when it would be in a party's confidence after they signed, then it is refused by every way", async () => {
    const { p1, theCase, first } = built;
    const secret = { message: expect.stringContaining("Financial disclosure is open") };
    expect(await refusal(aFile(caucusOf(p1.partyId), FINANCIAL))).toMatchObject(secret);
    expect(await refusal(aFile(forParty(p1.partyId), FINANCIAL))).toMatchObject(secret);
    const held = await aFile(caucusOf(p1.partyId));
    expect(await refusal(remark(held.id, FINANCIAL))).toMatchObject(secret);
    const open = await aFile(PRACTICE_ONLY, FINANCIAL);
    const release = { id: open.id, newId: newId(), readers: forParty(p1.partyId), consent: null };
    expect(await refusal(practice.api.files.release.mutate(release))).toMatchObject(secret);
    const loose = await aFile(PRACTICE_ONLY);
    await FileModel.updateOne(
      { _id: loose.id, ownerId: practice.ownerId },
      { $set: { mark: FINANCIAL, clientId: first.id, caseId: null, visibility: caucusOf(p1.partyId) } },
    );
    expect(
      await refusal(practice.api.files.move.mutate({ ids: [loose.id], clientId: first.id, caseId: theCase.id })),
    ).not.toBeNull();
    await practice.api.files.release.mutate({ ...release, newId: newId(), readers: SHARED });
  });

  test("files.update: what was held in confidence before, when it is renamed, then it stays as it was", async () => {
    const held = await aFile(caucusOf(built.p1.partyId));
    await FileModel.updateOne({ _id: held.id, ownerId: practice.ownerId }, { $set: { mark: FINANCIAL } });
    const { version, tags, visibility } = await practice.api.files.get.query({ id: held.id });
    const renamed = await practice.api.files.update.mutate({ id: held.id, version, name: "b.txt", tags, visibility });
    expect(renamed).toMatchObject({ mark: FINANCIAL, visibility: caucusOf(built.p1.partyId) });
  });

  test("files.release: a copy is marked as the file is", async () => {
    const { id } = await aFile(PRACTICE_ONLY, WITHOUT_PREJUDICE);
    const copy = await practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent: null });
    expect(copy.mark).toEqual(WITHOUT_PREJUDICE);
  });

  test("files.update: the mark of a file, when it was sent with a mail, then stays, and all else may change", async () => {
    const { id } = await aFile(SHARED);
    const mail = await send(aDraft({ fileIds: [id] }));
    expect((await remark(id, WITHOUT_PREJUDICE)).sentAt).toBeNull();
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    expect(await stateOf(mail.id)).toMatchObject({ state: "sent" });
    expect((await practice.api.files.get.query({ id })).sentAt).not.toBeNull();
    expect(await refusal(remark(id, NO_MARK))).toMatchObject({ fields: { mark: expect.stringContaining("was sent") } });
    const { version, tags, visibility } = await practice.api.files.get.query({ id });
    await practice.api.files.update.mutate({ id, version, name: "renamed.txt", tags, visibility });
  });

  test("marksOfFiles: files of before are not marked, and those that are stay so, however often it runs", async () => {
    const before = await aFile(PRACTICE_ONLY);
    const marked = await aFile(PRACTICE_ONLY, WITHOUT_PREJUDICE);
    await FileModel.collection.updateOne({ blobId: { $exists: true }, createdAt: new Date(before.createdAt) }, [
      { $unset: ["mark", "sentAt"] },
    ]);
    await marksOfFiles();
    await marksOfFiles();
    expect(await practice.api.files.get.query({ id: before.id })).toMatchObject({ mark: NO_MARK, sentAt: null });
    expect((await practice.api.files.get.query({ id: marked.id })).mark).toEqual(WITHOUT_PREJUDICE);
  });
});

describe("weaker marks", () => {
  test.each([
    [CONFIDENTIAL, WITHOUT_PREJUDICE],
    [CONFIDENTIAL, FINANCIAL],
    [WITHOUT_PREJUDICE, NO_MARK],
  ])(
    "S72: files.update: from %o to %o, when neither the owner nor a mediator of the case asks, then it stays",
    async (from, to) => {
      const { id } = await aFile(SHARED, from);
      expect(await refusal(remark(id, to, { by: tom, markReason: "It is open" }))).toMatchObject({
        fields: { mark: expect.stringContaining("Only the owner") },
      });
      expect(await refusal(remark(id, to, { by: hugh, markReason: "It is open" }))).not.toBeNull();
      await changeTeam(practice, practice, built.theCase, { mediators: [hugh.userId] });
      expect(await refusal(remark(id, to, { by: hugh }))).toMatchObject({ fields: { markReason: expect.any(String) } });
      expect((await remark(id, to, { by: hugh, markReason: "It is open" })).mark).toEqual(to);
    },
  );

  test("files.update: a weaker mark, when it is set, then the practice's history says by whom and why, and a stricter one is free", async () => {
    const { id } = await aFile(SHARED);
    await remark(id, WITHOUT_PREJUDICE, { by: tom });
    await remark(id, CONFIDENTIAL, { by: tom });
    await remark(id, NO_MARK, { markReason: "Marked by mistake" });
    const { items } = await practice.api.timeline.list.query({ caseId: built.theCase.id, page: 1, kind: "file" });
    expect(items.map(({ text }) => text)).toEqual([
      "File marked not marked, not confidential (Marked by mistake): offer.txt",
      "File added: offer.txt",
    ]);
    expect(items[0]).toMatchObject({ visibility: PRACTICE_ONLY });
  });

  test("S71: files.move: a file that stays in its case, when others than its owner or mediator move it, then none goes", async () => {
    const marked = await aFile(PRACTICE_ONLY, CONFIDENTIAL);
    const plain = await aFile(PRACTICE_ONLY);
    const ids = [plain.id, marked.id];
    const place = { clientId: built.first.id, caseId: null };
    expect(await refusal(tom.api.files.move.mutate({ ids, ...place }))).toMatchObject({ code: "FORBIDDEN" });
    expect(await refusal(tom.api.files.move.mutate({ ids: [plain.id], ...place }))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("would be in no case any more"),
    });
    expect((await practice.api.files.get.query({ id: plain.id })).caseId).toBe(built.theCase.id);
    await practice.api.files.move.mutate({ ids, ...place });
    expect(await refusal(remark(marked.id, NO_MARK, { by: tom, markReason: "Open" }))).not.toBeNull();
  });
});

describe("what stays in the case", () => {
  test.each(PRIVILEGES)(
    "compose: a file marked %s, when somebody of neither side gets it too, then it does not go",
    async (privilege) => {
      await aSolicitor();
      const { id } = await aFile(SHARED, { privilege, isFinancial: false });
      const inside = aDraft({ fileIds: [id], cc: [at(SOLICITOR)] });
      expect(await codesOf(inside)).toEqual([]);
      const outside = aDraft({ fileIds: [id], cc: [at(OUTSIDER)] });
      expect(await codesOf(outside)).toEqual(["outsider"]);
      const refused = await refusal(send(outside));
      expect(refused).toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining(OUTSIDER) });
      expect(await codesOf(aDraft({ cc: [at(OUTSIDER)] }))).toEqual([]);
    },
  );

  test("delivery: a file that may not go any more, when the mail leaves, then it stays with the outsider named", async () => {
    const { id } = await aFile(SHARED);
    const disclosureId = newId();
    await record(ORDER, { disclosureId, fileIds: [id] });
    const mail = await send(aDraft({ fileIds: [id], cc: [at(OUTSIDER)] }));
    await end(disclosureId);
    const sent = smtp.received.length;
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received).toHaveLength(sent);
    expect(await stateOf(mail.id)).toMatchObject({
      state: "failed",
      reason: expect.stringContaining(`${OUTSIDER} may not have this file`),
    });
    expect((await practice.api.files.get.query({ id })).sentAt).toBeNull();
  });

  test("compose: when all consented, then it may go, and when that ended or somebody joined, then it may not", async () => {
    const { p1, p2 } = built;
    const { id } = await aFile(SHARED, WITHOUT_PREJUDICE);
    const outside = aDraft({ fileIds: [id], cc: [at(OUTSIDER)] });
    const disclosureId = newId();
    const all: Ground = { kind: "consents", consents: [consentOf(p1), consentOf(p2)] };
    await record(all, { disclosureId, fileIds: [id] });
    expect(await codesOf(outside)).toEqual([]);
    await end(disclosureId);
    expect(await codesOf(outside)).toEqual(["outsider"]);
    await record(ORDER, { fileIds: [id] });
    await send(outside);
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received.at(-1)?.to).toContain(OUTSIDER);
  });
});

describe("what lets something out", () => {
  test("S72: compose: when another file may go, or this one to another address, then neither goes, and the report opens none", async () => {
    const named = await aFile(SHARED, WITHOUT_PREJUDICE);
    const other = await aFile(SHARED, CONFIDENTIAL);
    await record(ORDER);
    const to = (address: string, ...fileIds: string[]) => codesOf(aDraft({ fileIds, cc: [at(address)] }));
    expect(await to(OUTSIDER, named.id)).toEqual(["outsider"]);
    await record(ORDER, { fileIds: [named.id] });
    expect(await to(OUTSIDER, named.id)).toEqual([]);
    expect(await to("Registry+zc26@Court.example.org", named.id)).toEqual([]);
    expect(await to(OUTSIDER, other.id)).toEqual(["outsider"]);
    expect(await to(OUTSIDER, named.id, other.id)).toEqual(["outsider"]);
    expect(await to("press@paper.example.org", named.id)).toEqual(["outsider"]);
    await record(ORDER, { fileIds: [other.id], to: ["press@paper.example.org"] });
    expect(await to(OUTSIDER, named.id, other.id)).toEqual(["outsider"]);
  });

  test("sessions.courtReport: when files may go, then the report still may not", async () => {
    const { id } = await aFile(SHARED, WITHOUT_PREJUDICE);
    await record(ORDER, { fileIds: [id] });
    const session = await aSession();
    expect(await refusal(practice.api.sessions.courtReport.query({ id: session.id }))).toMatchObject({
      code: "PRECONDITION_FAILED",
    });
  });

  test("casework.recordDisclosure: of nothing, of files for nobody, of another case's file, then it is refused", async () => {
    const { id } = await aFile(SHARED, WITHOUT_PREJUDICE);
    const { theCase } = await aSignedCase(practice, "kept");
    const elsewhere = await aFile(PRACTICE_ONLY, WITHOUT_PREJUDICE, theCase.id);
    const fields = (field: string) => ({ fields: { [field]: expect.any(String) } });
    expect(await refusal(record(ORDER, { fileIds: [] }))).toMatchObject(fields("fileIds"));
    expect(await refusal(record(ORDER, { fileIds: [id], to: [] }))).toMatchObject(fields("to"));
    expect(await refusal(record(ORDER, { fileIds: [elsewhere.id] }))).toMatchObject(fields("fileIds"));
  });

  test("casework.recordDisclosure: somebody who neither owns the practice nor mediates the case, when they record it, is refused", async () => {
    expect(await refusal(record(ORDER, { by: tom }))).toMatchObject({ code: "FORBIDDEN" });
    await changeTeam(practice, practice, built.theCase, { mediators: [hugh.userId] });
    expect((await record(ORDER, { by: hugh })).disclosures).toHaveLength(1);
  });

  test("disclosuresOfNothing: what was recorded before files were named, when it is read, then lets out none", async () => {
    const { id } = await aFile(SHARED, WITHOUT_PREJUDICE);
    await record(ORDER, { fileIds: [id] });
    const { caseRef } = await record(ORDER, { fileIds: [id], to: ["press@paper.example.org"] });
    const fields = { "disclosures.0.fileIds": "", "disclosures.0.to": "", "disclosures.0.hasReport": "" } as const;
    await CaseModel.collection.updateOne({ caseRef, ownerId: practice.ownerId }, { $unset: fields });
    await disclosuresOfNothing();
    await disclosuresOfNothing();
    expect((await caseNow()).disclosures).toMatchObject([
      { fileIds: [], to: [], hasReport: false },
      { fileIds: [id], to: ["press@paper.example.org"] },
    ]);
    expect(await codesOf(aDraft({ fileIds: [id], cc: [at(OUTSIDER)] }))).toEqual(["outsider"]);
  });

  test("files.marked: of a case, when asked, are all that stay in it, whatever their mark, as far as one may read them", async () => {
    const kept = await aFile(SHARED, CONFIDENTIAL);
    const hidden = await aFile(MEDIATOR_ONLY, CONFIDENTIAL);
    const plain = await aFile(SHARED);
    const ids = async ({ api }: Caller) =>
      (await api.files.marked.query({ caseId: built.theCase.id })).items.map(({ id }) => id).toSorted();
    expect(await ids(practice)).toEqual([kept.id, hidden.id, plain.id].toSorted());
    expect(await ids(tom)).toEqual([kept.id, plain.id].toSorted());
  });

  test("casework.recordDisclosure: without one party's consent, on a day to come, or twice it is refused", async () => {
    const { p1, p2 } = built;
    expect(await refusal(record({ kind: "consents", consents: [consentOf(p1)] }))).toMatchObject({
      fields: { ground: expect.stringContaining("everybody who took part") },
    });
    const twice: Ground = { kind: "consents", consents: [consentOf(p1), consentOf(p1)] };
    expect(await refusal(record(twice))).toMatchObject({ code: "BAD_REQUEST" });
    expect(await refusal(record({ ...ORDER, on: "2999-01-01" }))).toMatchObject({
      fields: { ground: expect.stringContaining("future") },
    });
    expect(await refusal(record({ ...ORDER, on: "2020-01-01" }))).toMatchObject({
      fields: { ground: expect.stringContaining("over 5 years before the case was opened") },
    });
    const disclosureId = newId();
    await record({ kind: "consents", consents: [consentOf(p1), consentOf(p2)] }, { disclosureId });
    expect(await refusal(record(ORDER, { disclosureId }))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("casework.recordDisclosure: of somebody who was never approached no consent is asked, and it is once they take part", async () => {
    const { p1, p2, theCase } = built;
    const set = { "parties.1.status": "to_invite", "parties.1.agreementSignedOn": "" };
    const put = (fields: object) =>
      CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $set: fields });
    await put(set);
    await record({ kind: "consents", consents: [consentOf(p1)] });
    const standing = async () => standingDisclosures(await practice.api.cases.get.query({ id: theCase.id })).length;
    expect(await standing()).toBe(1);
    await put({ "parties.1.status": "responded", "parties.1.respondedOn": "2026-01-05" });
    expect(await standing()).toBe(0);
    expect(await refusal(record({ kind: "consents", consents: [consentOf(p1)] }))).toMatchObject({
      fields: { ground: expect.stringContaining("everybody who took part") },
    });
    await record({ kind: "consents", consents: [consentOf(p1), consentOf(p2)] });
  });

  test.each([
    ["a file", async () => ({ fileIds: [(await aFile(SHARED)).id] })],
    [
      "one of two files",
      async () => ({ fileIds: [(await aFile(caucusOf(built.p1.partyId))).id, (await aFile(SHARED)).id] }),
    ],
    ["the report", () => Promise.resolve({})],
  ])(
    "casework.recordDisclosure: when one party's consent is older than %s, then it is refused in the words of a release",
    async (_what, told) => {
      const { p1, p2 } = built;
      const going = await told();
      for (const old of [SIGNED_ON, "1999-01-01", addDays(today(), -1)]) {
        const ground: Ground = { kind: "consents", consents: [consentOf(p1), consentOf(p2, old)] };
        expect(await refusal(record(ground, going))).toMatchObject({
          fields: { ground: expect.stringContaining("The consent is older than what is to be shared. Ask again") },
        });
      }
      const all: Ground = { kind: "consents", consents: [consentOf(p1), consentOf(p2)] };
      expect((await record(all, going)).disclosures).toHaveLength(1);
    },
  );

  test("sessions.courtReport: when a session was held after all consented, then it is not reported; one before is", async () => {
    const { p1, p2, theCase } = built;
    const begun = async (startedAt: Date) => {
      const input = { id: newId(), caseId: theCase.id, meetingId: null };
      const { id } = await practice.api.sessions.create.mutate(input);
      const sessions = mongoose.connection.collection<{ _id: string }>("sessions");
      await sessions.updateOne({ _id: id }, { $set: { startedAt } });
      return id;
    };
    const before = await begun(new Date(Date.now() - MINUTE_MS));
    await record({ kind: "consents", consents: [consentOf(p1), consentOf(p2)] });
    const after = await begun(new Date(Date.now() + 48 * 60 * MINUTE_MS));
    const report = (id: string) => practice.api.sessions.courtReport.query({ id });
    expect(await report(before)).toMatchObject({ number: 1 });
    expect(await refusal(report(after))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("unless every party consents"),
    });
  });

  test("sessions.courtReport: when a session was over later on the day on which all consented, then it is not reported", async () => {
    const { p1, p2, theCase } = built;
    await record({ kind: "consents", consents: [consentOf(p1), consentOf(p2)] });
    const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
    const sessions = mongoose.connection.collection<{ _id: string }>("sessions");
    const held = (endedAt: Date) =>
      sessions.updateOne({ _id: id }, { $set: { startedAt: new Date(Date.now() - MINUTE_MS), endedAt } });
    const report = () => practice.api.sessions.courtReport.query({ id });
    await held(new Date(Date.now() + MINUTE_MS));
    expect((await refusal(report())).message).toContain("unless every party consents");
    await held(new Date(Date.now() - MINUTE_MS));
    expect(await report()).toMatchObject({ number: 1 });
  });

  test("casework.endDisclosure: what ended, when it is ended again or is not there, then that is refused; the record stays", async () => {
    const disclosureId = newId();
    await record(ORDER, { disclosureId });
    expect((await end(disclosureId)).disclosures).toMatchObject([{ ground: ORDER, endReason: "Taken back" }]);
    expect(await refusal(end(disclosureId))).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await refusal(end("of-none"))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("standingDisclosures: whoever joins after all consented has not, and an order holds for them too", async () => {
    const { p1, p2, theCase } = built;
    const all: Ground = { kind: "consents", consents: [consentOf(p1), consentOf(p2)] };
    const held = (ground: Ground) => [{ ground, endedAt: null }];
    expect(standingDisclosures({ parties: theCase.parties, disclosures: held(all) })).toHaveLength(1);
    const [known] = theCase.parties;
    if (!known) throw new Error("the case has no party");
    const parties = [...theCase.parties, { ...known, partyId: "p3" }];
    expect(standingDisclosures({ parties, disclosures: held(all) })).toEqual([]);
    expect(standingDisclosures({ parties, disclosures: held(ORDER) })).toHaveLength(1);
  });

  test("sessions.courtReport: when nobody consented and no court ordered it, then a court is told nothing", async () => {
    const session = await aSession();
    expect(await refusal(practice.api.sessions.courtReport.query({ id: session.id }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("unless every party consents"),
    });
    await record(ORDER);
    expect(await practice.api.sessions.courtReport.query({ id: session.id })).toMatchObject({ number: 1 });
  });
});
