// What is written here goes to Word and comes back.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { work as write } from "@app/server/features/documents/word/word.foreign";
import { work as read } from "@app/server/features/documents/word/word-import.foreign";
import type { WordPaper } from "@app/server/features/documents/word/word-paper";
import type { DocumentContent } from "@app/shared/document-content";
import { linesOf } from "@app/shared/document-walk";
import fc from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bold, cell, doc, field, forEach, heading, image, para, table, when } from "../../support/documents/content.ts";
import { aPng } from "../../support/documents/picture.ts";
import { inOneForm, randomDocument } from "../../support/documents/random-document.ts";

let dir: string;
beforeAll(() => void (dir = mkdtempSync(path.join(tmpdir(), "evenhand-word-"))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const paper = (content: DocumentContent, more: Partial<WordPaper> = {}): WordPaper => ({
  title: "A text",
  content,
  isTemplate: false,
  head: { name: "Quillfeather", mark: "", logo: null },
  rule: "",
  footer: "",
  images: new Map(),
  ...more,
});
const readBack = async (bytes: Uint8Array, isTemplate = false) => {
  const file = path.join(dir, "a.docx");
  writeFileSync(file, bytes);
  return read({ file, isTemplate });
};
const partsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]));

describe("a text in Word", () => {
  test(
    "a document of headings, lists, tables, marks, links and alignment, when it comes back, has its words and its form",
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(randomDocument, async (content) => {
          const { content: back } = await readBack(await write(paper(content)));
          expect(inOneForm(back)).toEqual(inOneForm(withoutEmpty(content)));
        }),
        { numRuns: 60 },
      );
    },
  );

  test("a template, when it comes back, has its fields, and its parts that stay, go or come again", async () => {
    const content = doc(
      para("Dear ", field("client.firstName"), ", at ", {
        ...field("client.address", "no address"),
        marks: [{ type: "bold" }],
      }),
      when("children", "is-there", para("They have children: "), forEach("children", para(field("each.firstName")))),
      when("meeting.date", "is-missing", table(["a"], ["b"])),
      para("{{no.field}} and {{ braces }}"),
    );
    const { content: back } = await readBack(await write(paper(content, { isTemplate: true })), true);
    expect(back).toEqual(content);
  });

  test("a document, when it is written for Word, says what its fields said, and which of them still say nothing", async () => {
    const said = field("client.address", "", "4 Kiln Row\nLS6 2QX");
    const parts = partsOf(
      await write(paper(doc(para(said), para(field("today")), para(field("case.reference", "none"))))),
    );
    const text = parts["word/document.xml"] ?? "";
    expect(text).toContain("4 Kiln Row");
    expect(text).toMatch(/<w:br\/>.*LS6 2QX/s);
    expect(text).toContain("{{today}}");
    expect(text).toContain(">none<");
    expect(text).not.toContain("client.address");
  });

  test("mark, rule and foot, when a text is privileged, stand on each page, and do not come back as words", async () => {
    const head = { name: "Quillfeather", mark: "WITHOUT PREJUDICE", logo: aPng(20) };
    const bytes = await write(
      paper(doc(para("Only this")), { head, rule: "May not be shown.", footer: "Not binding." }),
    );
    const parts = partsOf(bytes);
    expect(parts["word/header1.xml"]).toMatch(/Quillfeather.*WITHOUT PREJUDICE/s);
    expect(parts["word/header1.xml"]).toContain("pic:pic");
    expect(parts["word/footer1.xml"]).toMatch(/Not binding\..*NUMPAGES/s);
    const { content, left } = await readBack(bytes);
    expect(linesOf(content)).toEqual(["Only this"]);
    expect(left).toContain("Head and foot of the pages: documents have the practice’s own");
  });

  test("a picture, when it goes to Word and comes back, has its words and its bytes; one that is broken stands as its words", async () => {
    const images = new Map([["plan", aPng(300)]]);
    const bytes = await write(
      paper(
        doc(image("plan", { alt: "The plan", align: "center", widthPercent: 48 }), image("gone", { alt: "Lost" })),
        { images },
      ),
    );
    const { content, pictures } = await readBack(bytes);
    expect(content.content).toEqual([
      image("word-1", { alt: "The plan", align: "center", widthPercent: 48 }),
      para("[Picture: Lost]"),
    ]);
    expect(pictures.map(({ bytes: kept }) => Buffer.from(kept).equals(Buffer.from(aPng(300))))).toEqual([true]);
  });

  test("signs that XML has no place for, when they are written, are left out and the rest can be read", async () => {
    const { content } = await readBack(
      await write(paper(doc(heading(1, "a\u0000b\u000B\uD800c < & > \"'"), para(bold("x"))))),
    );
    expect(linesOf(content)).toEqual(["ab\uFFFDc < & > \"'", "x"]);
  });

  test("a cell over columns and rows, when it comes back, is one", async () => {
    const wide = { ...cell(para("wide")), attrs: { colspan: 2, rowspan: 2, colwidth: null } };
    const content = doc(table(["a", "b", "c"], [wide, "1"], ["2"], ["x", "y", "z"]));
    expect((await readBack(await write(paper(content)))).content).toEqual(content);
  });
});

/** Words are there, or the piece has none: an empty list of them is the same. */
const withoutEmpty = (content: unknown): unknown =>
  JSON.parse(JSON.stringify(content), (_key, value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    "content" in value &&
    Array.isArray(value.content) &&
    value.content.length === 0 &&
    "type" in value &&
    value.type !== "tableRow"
      ? { ...value, content: undefined }
      : value,
  );
