// Word documents that are sent to the server, and what it hands out for Word.
import { createServer } from "node:http";
import { newId } from "@app/server/core/ids";
import { linesOf } from "@app/shared/document-walk";
import { wordImportSchema } from "@app/shared/word-imports";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { aDocument, allMediated, aTemplateOf, everybodySigned } from "../../support/documents/case-documents.ts";
import { bullets, doc, field, heading, image, para, table } from "../../support/documents/content.ts";
import { aPng } from "../../support/documents/picture.ts";
import { idIn, sendPicture, sendWord } from "../../support/documents/uploads.ts";
import { wordDocument, wordThatReachesOut } from "../../support/hostile/hostile.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, clientFields, type TestPerson } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));

const forWord = (person: TestPerson, id: string) =>
  fetch(`${app.url}/export/documents/${id}.docx`, { headers: { cookie: person.cookies() } });
const bytesOf = async (reply: Response) => new Uint8Array(await reply.arrayBuffer());
const textIn = (bytes: Uint8Array, part = "word/document.xml") => strFromU8(unzipSync(bytes)[part] ?? new Uint8Array());
const taken = async (person: TestPerson, textId: string, body: Uint8Array<ArrayBuffer>) => {
  const reply = await sendWord(app, person, { textId, body });
  expect(reply.status).toBe(201);
  return wordImportSchema.parse(await reply.json());
};
const OF_PRACTICE = { kind: "practice" as const, partyId: null };

describe("Word", () => {
  test("a template, when it goes to Word and comes back into another one, is the same, with its picture", async () => {
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const pictureId = await idIn(await sendPicture(app, practice, { textId: templateId, body: aPng(300) }));
    const content = doc(
      heading(1, "What to bring"),
      para("Dear ", field("client.firstName")),
      bullets("payslips", "statements"),
      table(["What", "From whom"], ["Payslips", "Employer"]),
      image(pictureId, { alt: "The way in", widthPercent: 48, align: "center" }),
    );
    await practice.api.documentTemplates.save.mutate({ id: templateId, version: 1, name: "Bring", content });
    const reply = await forWord(practice, templateId);
    expect(reply.headers.get("content-disposition")).toBe("attachment; filename=Bring.docx");
    const other = await aTemplateOf(practice, doc(para("y")));
    const read = await taken(practice, other, await bytesOf(reply));
    const [own] = read.content.content.filter((block) => block.type === "image");
    expect(own?.attrs.pictureId).not.toBe(pictureId);
    expect(read.content).toEqual({
      ...content,
      content: content.content.map((block) => (block.type === "image" ? own : block)),
    });
    expect(own?.attrs).toMatchObject({ alt: "The way in", widthPercent: 48, align: "center" });
    // It is the other text's own now, and nothing but the picture was stored.
    await practice.api.documentTemplates.save.mutate({ id: other, version: 1, name: "Other", content: read.content });
    expect((await practice.api.documentTemplates.get.query({ id: other })).version).toBe(2);
  });

  test("GET /export/documents/:id.docx: an address that is kept from others by now, then it is refused in words", async () => {
    const { theCase, p1, first } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para(field("client.address"))));
    const draft = await aDocument(practice, {
      caseId: theCase.id,
      templateId,
      addressee: { kind: "party", partyId: p1.partyId },
    });
    expect(textIn(await bytesOf(await forWord(practice, draft.id)))).toContain("4 Kiln Row");
    const { version } = await practice.api.clients.get.query({ id: first.id });
    const { firstName, lastName, email } = first;
    const client = clientFields({ firstName, lastName, email, phones: [], isAddressConfidential: true });
    await practice.api.clients.update.mutate({ id: first.id, version, client });
    const refused = await forWord(practice, draft.id);
    expect([refused.status, await refused.text()]).toEqual([412, expect.stringContaining("may not be said here")]);
  });

  test("GET /export/documents/:id.docx: what is without prejudice, then its mark and foot are there; finished, it is not for Word", async () => {
    const { theCase } = await aCase(practice);
    await everybodySigned(practice, theCase.id);
    await allMediated(practice, theCase);
    const templateId = await aTemplateOf(practice, doc(para("They propose")), { kind: "mou" });
    const draft = await aDocument(practice, { caseId: theCase.id, templateId, privilege: "without_prejudice" });
    const bytes = await bytesOf(await forWord(practice, draft.id));
    expect(textIn(bytes, "word/header1.xml")).toContain("WITHOUT PREJUDICE");
    expect(textIn(bytes, "word/footer1.xml")).toContain("Without prejudice: for the participants");
    await practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    expect((await forWord(practice, draft.id)).status).toBe(412);
  });

  test("of a case that somebody does not see, then nothing goes to Word, and nothing comes from it", async () => {
    const { theCase } = await aCase(practice);
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const draft = await aDocument(practice, { caseId: theCase.id, templateId, addressee: OF_PRACTICE });
    const permissions = ["clients.read" as const, "documents.manage" as const, "assigned_only" as const];
    const assigned = await aStaffUser(app, practice, { permissions });
    expect((await forWord(assigned, draft.id)).status).toBe(404);
    expect((await sendWord(app, assigned, { textId: draft.id, body: wordDocument("") })).status).toBe(404);
    expect((await sendWord(app, await aPractice(app), { textId: templateId, body: wordDocument("") })).status).toBe(
      404,
    );
  });

  test("S26 POST /word-imports: pictures that lie in a file of the server or elsewhere, then nobody fetches them, and it is told", async () => {
    let asked = 0;
    const elsewhere = createServer((_req, res) => {
      asked += 1;
      res.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const address = elsewhere.address();
    const port = typeof address === "object" && address ? address.port : 0;
    try {
      const textId = await aTemplateOf(practice, doc(para("x")));
      const { content, left } = await taken(practice, textId, wordThatReachesOut(`http://127.0.0.1:${port}`));
      expect(linesOf(content).filter(Boolean)).toEqual(["press", "Words"]);
      expect(JSON.stringify(content)).not.toMatch(/javascript|root:|passwd|image/);
      expect(left.join()).toMatch(
        /Pictures that are no PNG or JPEG.*Links to a place|Links to a place.*Pictures that/s,
      );
      expect(asked).toBe(0);
    } finally {
      elsewhere.close();
    }
  });

  test.each<[string, string, string | Uint8Array<ArrayBuffer>]>([
    ["a PDF", "a.docx", "%PDF-1.4"],
    ["an old Word document", "a.doc", Buffer.from("d0cf11e0a1b11ae1", "hex")],
    ["a macro by its name", "a.docm", wordDocument("")],
    ["nothing", "a.docx", ""],
    ["an archive of something else", "a.docx", wordDocument("").subarray(0, 40)],
  ])("POST /word-imports: %s, then it is refused in words", async (_what, name, body) => {
    const textId = await aTemplateOf(practice, doc(para("x")));
    const reply = await sendWord(app, practice, { textId, body, name, id: newId() });
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringMatching(/Choose|empty|something else|read/),
    ]);
  });

  test("numbered lists that go on after something else, and one that begins anew, then each has its number", async () => {
    const numbering = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`;
    const item = (numId: number, text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${numId}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const between = "<w:p><w:r><w:t>between</w:t></w:r></w:p>";
    const body = `${item(1, "three")}${item(1, "four")}${between}${item(1, "five")}${item(2, "one")}`;
    const related = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="n" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>`;
    const word = wordDocument(body, { "word/numbering.xml": numbering, "word/_rels/document.xml.rels": related });
    const textId = await aTemplateOf(practice, doc(para("x")));
    const { content } = await taken(practice, textId, word);
    expect(content.content).toMatchObject([
      { type: "orderedList", attrs: { start: 3 }, content: [{}, {}] },
      { type: "paragraph" },
      { type: "orderedList", attrs: { start: 5 }, content: [{}] },
      { type: "orderedList", attrs: { start: 1 }, content: [{}] },
    ]);
  });
});
