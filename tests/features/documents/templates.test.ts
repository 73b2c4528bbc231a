import { clock } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { starterDocuments } from "@app/server/features/documents/starters/starter-documents";
import { documentContentSchema } from "@app/shared/document-content";
import { DOCUMENT_KINDS } from "@app/shared/document-kind-list";
import { ADDRESSEE_KINDS, DOCUMENT_RULES, usualPrivilege } from "@app/shared/document-kinds";
import { isBlank, isDocumentField } from "@app/shared/document-fields";
import { fieldsIn, linesOf } from "@app/shared/document-walk";
import { MEDIATOR_TYPES, REGION_NAMES } from "../../support/documents/kinds.ts";
import { describe, expect, test, vi } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { doc, field, heading, para } from "../../support/documents/content.ts";
import { aPractice, aStaffUser } from "../../support/server/people.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
const OWNER = "Ines Marchbank";
const templates = () => practice.api.documentTemplates;

const aTemplate = (name = "Letter to both") => templates().create.mutate({ id: newId(), name, kind: "letter" });

describe("the templates that come with the product", () => {
  test("documentTemplates.list: a new practice, when it looks, has those of its kind, each once", async () => {
    const { items } = await templates().list.query({});
    expect(items.map(({ name }) => name)).toEqual([
      "Agreement to mediate",
      "Certificate",
      "Fee letter",
      "Invitation to a MIAM",
      "Memorandum of understanding",
      "No-response letter",
      "Open financial statement",
      "Parenting plan",
      "Session summary",
    ]);
    await Promise.all([templates().list.query({}), templates().list.query({})]);
    expect((await templates().list.query({})).total).toBe(9);
  });

  test("starterDocuments: of every kind and region, each fits the editor, and has only fields that there are", () => {
    for (const kind of MEDIATOR_TYPES)
      for (const region of REGION_NAMES)
        for (const { name, content } of starterDocuments(kind, region)) {
          expect(documentContentSchema.parse(content), name).toEqual(content);
          const paths = fieldsIn(content).map(({ attrs }) => attrs.path);
          const unknown = paths.filter((path) => !isDocumentField(path) && !isBlank(path) && !path.startsWith("each."));
          expect(unknown, name).toEqual([]);
          const words = linesOf(content).join(" ");
          expect(words, name).not.toMatch(/[{}*|]|\bform C100\b|\bForm E\b/i);
        }
  });

  test("starterDocuments: what is proposed names no court form, and only the certificate of England and Wales names the MIAM by itself", () => {
    const elsewhere = starterDocuments("family", "scotland").flatMap(({ content }) => linesOf(content));
    expect(elsewhere.join(" ")).not.toMatch(/MIAM/);
    const here = starterDocuments("family", "england_wales").flatMap(({ content }) => linesOf(content));
    // What an invitation says of it goes by the case, and not by the practice.
    expect(here.join(" ")).not.toContain("called a MIAM");
    expect(here.join(" ")).toContain("Mediation information and assessment meeting");
  });

  test("document kinds: a memorandum is without prejudice and a financial statement open, always", () => {
    expect(DOCUMENT_RULES.mou.privileges).toEqual(["without_prejudice"]);
    expect(DOCUMENT_RULES.ofs.privileges).toEqual(["open"]);
    for (const kind of DOCUMENT_KINDS) {
      expect(DOCUMENT_RULES[kind].privileges).toContain(usualPrivilege(kind));
      for (const addressee of DOCUMENT_RULES[kind].addressees) expect(ADDRESSEE_KINDS).toContain(addressee);
    }
  });
});

describe("writing a template", () => {
  test("documentTemplates: one is made, written, renamed, copied, archived and brought back", async () => {
    const made = await aTemplate();
    const content = doc(heading(1, "Hello"), para(field("client.salutation"), ","));
    const saved = await templates().save.mutate({ id: made.id, version: 0, name: made.name, content });
    expect(saved).toMatchObject({ version: 1, content, updatedByName: OWNER });
    const renamed = await templates().rename.mutate({ id: made.id, version: 1, name: "Other name" });
    expect(renamed).toMatchObject({ version: 2, name: "Other name", content });
    const copy = await templates().copy.mutate({ id: newId(), templateId: made.id });
    expect(copy).toMatchObject({ name: "Copy of Other name", content, version: 0, isArchived: false });
    await templates().setStatus.mutate({ id: made.id, isArchived: true });
    const names = async (isArchived: boolean) =>
      (await templates().list.query({ search: "other", isArchived })).items.map(({ name }) => name);
    expect([await names(false), await names(true)]).toEqual([["Copy of Other name"], ["Other name"]]);
    expect(await refusal(templates().save.mutate({ id: made.id, version: 2, name: "x", content }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringMatching(/archived/),
    });
    await templates().setStatus.mutate({ id: made.id, isArchived: false });
    expect(await names(false)).toEqual(["Copy of Other name", "Other name"]);
  });

  test("documentTemplates.save: over a newer text, then it is refused and nothing is lost", async () => {
    const { id, name } = await aTemplate();
    await templates().save.mutate({ id, version: 0, name, content: doc(para("first")) });
    const late = templates().save.mutate({ id, version: 0, name, content: doc(para("second")) });
    expect(await refusal(late)).toMatchObject({ code: "CONFLICT" });
    expect(linesOf((await templates().get.query({ id })).content)).toEqual(["first"]);
  });

  test("documentTemplates.save: what is no document is refused in words", async () => {
    const { id, name } = await aTemplate();
    const content = JSON.parse('{"type":"doc","content":[{"type":"iframe"}]}');
    expect(await refusal(templates().save.mutate({ id, version: 0, name, content }))).toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  test("documentTemplates.versions: when another person goes on, the text as it stood is kept, and can be read", async () => {
    const { id, name } = await aTemplate();
    const save = (version: number, text: string) =>
      templates().save.mutate({ id, version, name, content: doc(para(text)) });
    await save(0, "one");
    await save(1, "two");
    expect((await templates().versions.query({ id })).items).toEqual([]);
    const colleague = await aStaffUser(app, practice, { permissions: ["documents.manage"] });
    await colleague.api.documentTemplates.save.mutate({ id, version: 2, name, content: doc(para("three")) });
    const { items } = await templates().versions.query({ id });
    expect(items).toMatchObject([{ version: 2, savedByName: OWNER }]);
    const { content } = await templates().version.query({ id, version: 2 });
    expect(linesOf(content)).toEqual(["two"]);
  });

  test("documentTemplates.versions: an earlier text that takes the place of the present one keeps that", async () => {
    const { id, name } = await aTemplate();
    await templates().save.mutate({ id, version: 0, name, content: doc(para("late")) });
    await templates().save.mutate({ id, version: 1, name, content: doc(para("early")), isRestored: true });
    expect((await templates().versions.query({ id })).items).toMatchObject([{ version: 1 }]);
  });

  test("documentTemplates.versions: after a while of writing, one is kept of the same person too", async () => {
    const { id, name } = await aTemplate();
    const begun = Date.now();
    await templates().save.mutate({ id, version: 0, name, content: doc(para("early")) });
    vi.spyOn(clock, "now").mockReturnValue(new Date(begun + 11 * 60_000));
    await templates().save.mutate({ id, version: 1, name, content: doc(para("late")) });
    expect((await templates().versions.query({ id })).items).toMatchObject([{ version: 1 }]);
  });

  test("documentTemplates.attend: the second person is told who has it open, and whether they write", async () => {
    const { id } = await aTemplate();
    const colleague = await aStaffUser(app, practice, { permissions: ["documents.manage"] });
    expect(await templates().attend.mutate({ id, isWriting: true })).toEqual({ others: [] });
    const told = await colleague.api.documentTemplates.attend.mutate({ id, isWriting: false });
    expect(told.others).toEqual([{ userId: practice.ownerId, name: OWNER, isWriting: true }]);
    expect((await templates().attend.mutate({ id, isWriting: true })).others).toMatchObject([{ isWriting: false }]);
  });

  test("documentTemplates: who may not manage documents, and another practice, get none", async () => {
    const { id } = await aTemplate();
    const reader = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect(await refusal(reader.api.documentTemplates.list.query({}))).toMatchObject({ code: "FORBIDDEN" });
    const other = await aPractice(app);
    expect(await refusal(other.api.documentTemplates.get.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
  });
});
