// What of a case a court may be given: open papers alone, that everybody in it may read.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { FileModel } from "@app/server/features/files/files.model";
import { storeFile } from "@app/server/features/files/files.service";
import type { FileMark } from "@app/shared/files";
import { PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import {
  aDocument,
  allMediated,
  aTemplateOf,
  consentsOf,
  everybodySigned,
} from "../support/documents/case-documents.ts";
import { TODAY } from "../support/finances/disclosed.ts";
import { doc, para } from "../support/documents/content.ts";
import { pdfText, wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aPng } from "../support/documents/picture.ts";
import { aCertificate, authorise } from "../support/server/assessments.ts";
import { aCase, aPractice, aVisitor, scopeOf } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { linksOf, sendOut, signAs } from "../support/server/signing.ts";
import { SIGNED_ON } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice, { domain: "family" }));
const caseId = () => built.theCase.id;

const FINANCIAL: FileMark = { privilege: "open", isFinancial: true };
const OPEN: FileMark = { privilege: "open", isFinancial: false };

async function finished(kind: "ofs" | "mou" | "letter", words: string): Promise<string> {
  const templateId = await aTemplateOf(practice, doc(para(words)), { kind, name: `Template of ${words}` });
  const privilege = kind === "mou" ? "without_prejudice" : "open";
  const { id, version } = await aDocument(practice, {
    caseId: caseId(),
    templateId,
    privilege,
    name: `Paper ${words}`,
  });
  if (kind === "mou") await allMediated(practice, built.theCase);
  const consents = kind === "ofs" ? consentsOf(built.theCase) : [];
  return (await practice.api.documents.finish.mutate({ id, version, consents })).fileId ?? "";
}

/** Both sign it: the sealed file, and the one that they were sent. */
async function signed(fileId: string): Promise<[string, string]> {
  const { id } = await sendOut(practice, fileId, [built.p1.partyId, built.p2.partyId]);
  for (const token of Object.values(await linksOf(practice))) await signAs(aVisitor(app), token);
  return [(await practice.api.signatures.get.query({ id })).sealedFileId ?? "", fileId];
}

const aFile = (name: string, content: Buffer, mark: FileMark, visibility: Visibility = SHARED) =>
  storeFile(scopeOf(practice.ownerId), Readable.from([content]), {
    clientId: null,
    caseId: caseId(),
    name,
    visibility,
    mark,
  });

const PICTURE = Buffer.from(aPng());
const address = (partyId = "") => `/export/court-packs/${caseId()}.pdf${partyId ? `?party=${partyId}` : ""}`;

async function packOf(partyId = "") {
  const response = await fetch(`${app.url}${address(partyId)}`, { headers: { cookie: practice.cookies() } });
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const preview = async (partyId: string | null = null) => {
  const { included, leftOut } = await practice.api.courtPacks.preview.query({ caseId: caseId(), partyId });
  return {
    included: included.map(({ name }) => name),
    leftOut: Object.fromEntries(leftOut.map(({ name, why }) => [name, why])),
  };
};

describe("GET /export/court-packs/:id.pdf", () => {
  test("court pack: an open statement and a memorandum, when it is asked for, then it holds the statement alone", async () => {
    await everybodySigned(practice, caseId());
    await finished("ofs", "Statementquill");
    await finished("mou", "Memoquill");
    const { status, bytes } = await packOf();
    expect(status).toBe(200);
    const words = await wordsOfPdf(bytes.slice());
    expect(words).toContain("statementquill");
    expect(words).not.toContain("memoquill");
    const pdf = await getDocument({ data: bytes, verbosity: 0 }).promise;
    expect((await pdf.getOutline()).map(({ title }) => title)).toEqual(["Contents", "Paper Statementquill.pdf"]);
    expect(words).toContain("page 2");
    expect(words).toContain(`1 of ${pdf.numPages}`);
  });

  test("files.update: the file of a memorandum, when somebody marks it as open, stays without prejudice", async () => {
    await everybodySigned(practice, caseId());
    const fileId = await finished("mou", "Memoquill");
    const { version, name, tags, visibility } = await practice.api.files.get.query({ id: fileId });
    const change = { id: fileId, version, name, tags, visibility, mark: OPEN, markReason: "By mistake" };
    expect((await refusal(practice.api.files.update.mutate(change))).fields["mark"]).toContain("finished document");
    // Also one that was marked so before that was refused.
    await FileModel.updateOne({ ownerId: practice.ownerId, _id: fileId }, { $set: { mark: FINANCIAL } });
    expect((await preview()).leftOut).toEqual({ "Paper Memoquill.pdf": "It is not marked as open" });
  });

  test("a signed memorandum, when somebody marks its signed copy as open, stays without prejudice", async () => {
    await everybodySigned(practice, caseId());
    const [sealedFileId, fileId] = await signed(await finished("mou", "Memoquill"));
    for (const id of [sealedFileId, fileId]) {
      const { version, name, tags, visibility } = await practice.api.files.get.query({ id });
      const change = { id, version, name, tags, visibility, mark: FINANCIAL, markReason: "By mistake" };
      expect((await refusal(practice.api.files.update.mutate(change))).fields["mark"]).toContain("to be signed");
    }
    await FileModel.updateOne({ ownerId: practice.ownerId, _id: sealedFileId }, { $set: { mark: FINANCIAL } });
    expect((await preview()).included).toEqual([]);
  });

  test("a signed statement, when its document is removed or a newer one takes its place, stays out", async () => {
    await everybodySigned(practice, caseId());
    await signed(await finished("ofs", "Firstquill"));
    expect((await preview()).included).toHaveLength(2);
    const { items } = await practice.api.documents.list.query({ caseId: caseId(), page: 1 });
    const id = items[0]?.id ?? "";
    await practice.api.documents.setRemoved.mutate({ id, isRemoved: true });
    expect((await preview()).included).toEqual([]);
    await practice.api.documents.setRemoved.mutate({ id, isRemoved: false });
    const copy = await practice.api.documents.copy.mutate({ id: newId(), documentId: id });
    const { fileId } = await practice.api.documents.finish.mutate({
      id: copy.id,
      version: copy.version,
      consents: consentsOf(built.theCase),
    });
    const { included, leftOut } = await preview();
    expect(included).toEqual(["New draft of Paper Firstquill.pdf"]);
    expect(leftOut["Paper Firstquill (signed).pdf"]).toBe("A newer one took its place");
    expect(fileId).not.toBeNull();
  });

  test("court pack: a statement, when somebody asks for a change of it, stays out until they approve it", async () => {
    await everybodySigned(practice, caseId());
    await finished("ofs", "Statement");
    const { items } = await practice.api.documents.list.query({ caseId: caseId(), page: 1 });
    const says = (partyId: string, decision: "approved" | "change") =>
      practice.api.documents.recordApproval.mutate({
        id: items[0]?.id ?? "",
        partyId,
        decision,
        on: TODAY(),
        how: "session",
        comment: "The ISA is missing",
      });
    const noted = async () =>
      (await practice.api.courtPacks.preview.query({ caseId: caseId(), partyId: null })).included.map(
        ({ note }) => note,
      );
    expect(await noted()).toEqual([`Not approved yet by ${built.p1.name} and ${built.p2.name}`]);
    await says(built.p1.partyId, "approved");
    await says(built.p2.partyId, "change");
    expect((await preview()).leftOut["Paper Statement.pdf"]).toContain(`${built.p2.name} asks for a change of it`);
    await says(built.p2.partyId, "approved");
    expect(await noted()).toEqual([""]);
  });

  test("court pack: what one party alone reads, the practice keeps, or is not open, stays out and is not named", async () => {
    await aFile("Shared.png", PICTURE, FINANCIAL);
    await aFile("Ownquill.png", PICTURE, FINANCIAL, {
      scope: "party",
      partyIds: [built.p1.partyId],
      aboutPartyIds: [],
    });
    await aFile("Practicequill.png", PICTURE, FINANCIAL, PRACTICE_ONLY);
    await aFile("Closedquill.png", PICTURE, { privilege: "none", isFinancial: false });
    await aFile("Letterquill.txt", Buffer.from("x"), FINANCIAL);
    const { included, leftOut } = await preview();
    expect(included).toEqual(["Shared.png"]);
    expect(Object.keys(leftOut).toSorted()).toEqual([
      "Closedquill.png",
      "Letterquill.txt",
      "Ownquill.png",
      "Practicequill.png",
    ]);
    const { headers } = await fetch(`${app.url}${address()}`, { headers: { cookie: practice.cookies() } });
    expect(headers.get("content-disposition")).toBe("attachment; filename=court-pack.pdf");
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("cache-control")).toBe("private, no-store");
    const words = await pdfText(app, practice, address());
    expect(words).toContain("shared.png");
    expect(words).toContain("letterquill.txt. only pdfs and pictures");
    for (const hidden of ["ownquill", "practicequill", "closedquill"]) expect(words).not.toContain(hidden);
  });

  test("court pack: an open letter, when neither consents nor an order are recorded, waits for them", async () => {
    await everybodySigned(practice, caseId());
    const fileId = await finished("letter", "Letterquill");
    expect((await preview()).leftOut["Paper Letterquill.pdf"]).toContain("neither everybody’s consent nor an order");
    expect((await packOf()).status).toBe(412);
    const record = async (court: string) =>
      practice.api.casework.recordDisclosure.mutate({
        id: caseId(),
        version: (await practice.api.cases.get.query({ id: caseId() })).version,
        disclosureId: newId(),
        court,
        what: "The letter, to the Family Court",
        fileIds: [fileId],
        to: ["court@example.org"],
        hasReport: false,
        ground: { kind: "order", on: SIGNED_ON, reference: "Family Court, ZC26P01" },
      });
    await record("");
    expect((await preview()).included).toEqual([]);
    await record("Family Court at Leeds");
    expect(await pdfText(app, practice, address())).toContain("letterquill");
  });

  test("court pack: a damaged PDF, when it would go, is named as what to give by itself", async () => {
    await everybodySigned(practice, caseId());
    await finished("ofs", "Statementquill");
    await aFile("Brokenquill.pdf", Buffer.from("%PDF-1.7\nnothing\n%%EOF"), FINANCIAL);
    const words = await pdfText(app, practice, address());
    expect(words).toContain("brokenquill.pdf. it is locked, damaged");
    expect(words).toContain("statementquill");
  });

  test("court pack: of one party, when they ask for it, has their certificate that is not void, and nobody else’s", async () => {
    await authorise(practice);
    const whose = { caseId: caseId(), partyId: built.p1.partyId, mediatorId: practice.ownerId };
    const { number } = await aCertificate(practice, whose);
    expect((await preview(built.p1.partyId)).included).toEqual([`Certificate ${number}`]);
    expect((await preview(built.p2.partyId)).included).toEqual([]);
    expect(await pdfText(app, practice, address(built.p1.partyId))).toContain(number.toLowerCase());
  });

  test("court pack: of one party who was told of nobody else, names no other", async () => {
    await authorise(practice);
    const whose = { caseId: caseId(), partyId: built.p2.partyId, mediatorId: practice.ownerId };
    await aCertificate(practice, whose);
    const words = await pdfText(app, practice, address(built.p2.partyId));
    expect(words).toContain(built.second.lastName.toLowerCase());
    expect(words).not.toContain(built.first.lastName.toLowerCase());
    await everybodySigned(practice, caseId());
    expect(await pdfText(app, practice, address(built.p2.partyId))).toContain(built.first.lastName.toLowerCase());
  });
});
