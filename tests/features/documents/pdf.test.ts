// What is written in the editor, as it stands on paper: read back from the PDF.
import type { PdfDocument } from "@app/server/core/pdf-document";
import { work } from "@app/server/core/pdf.foreign";
import type { DocumentBlock, ImageBlock } from "@app/shared/document-content";
import fc from "fast-check";
import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { bold, cell, doc, field, heading, image, para, table } from "../../support/documents/content.ts";
import { aPng } from "../../support/documents/picture.ts";

const document = (blocks: DocumentBlock[], more: Partial<PdfDocument> = {}): PdfDocument => ({
  title: "Memorandum",
  footer: "For the parties",
  parts: [{ kind: "content", content: doc(...blocks) }],
  madeAt: new Date("2026-11-17T10:00:00Z"),
  ...more,
});

/** The words of each page, in the order in which they are read, without the breaks of lines. */
async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise;
  const pages = Array.from({ length: pdf.numPages }, async (_, index) => {
    const { items } = await (await pdf.getPage(index + 1)).getTextContent();
    return items.map((item) => ("str" in item ? item.str : "")).join("");
  });
  return Promise.all(pages);
}
const drawn = async (blocks: DocumentBlock[], more?: Partial<PdfDocument>) => {
  const result = await work(document(blocks, more));
  return { ...result, text: await pagesOf(result.bytes) };
};
/** Where the last picture of a page stands, in points, how many there are, and what it is marked as. */
async function placeOfPicture(bytes: Uint8Array, page = 1) {
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise;
  const { fnArray, argsArray } = await (await pdf.getPage(page)).getOperatorList();
  let [x, width, count] = [0, 0, 0];
  const marked: string[] = [];
  for (const [index, fn] of fnArray.entries()) {
    if (fn === OPS.transform) [width, , , , x] = argsArray[index];
    if (fn === OPS.paintImageXObject) count += 1;
    if (fn === OPS.beginMarkedContent || fn === OPS.beginMarkedContentProps)
      marked.push(JSON.stringify(argsArray[index][0]));
  }
  return { x, width, count, marked };
}
const squeezed = (text: string) => text.replace(/\s/g, "");
const SENTENCE = "This records what was proposed and binds nobody until it is put into an order. ";

test("pdf: names with Polish, Greek and Cyrillic letters, when they are written, are read back whole", async () => {
  const names = ["Łukasz Żółć-Gąska", "Ελένη Παπαδοπούλου", "Пётр Василькович", "Zoë Ångström", "Đặng Thị Hương"];
  const { text, unwritten } = await drawn([para(...names.map((name) => `${name}, `)), para(bold(names.join("; ")))]);
  for (const name of names) expect(text.join()).toContain(name);
  expect(unwritten).toEqual([]);
});

test("pdf: a name with signs that no face has, when it is written, is marked, told, and not cut off", async () => {
  const { text, unwritten } = await drawn([para("Mira 😀 שלום 美 Stone")]);
  expect(text[0]).toContain("Mira □ □□□□ □ Stone");
  expect(unwritten).toEqual(["😀", "ש", "ל", "ו", "ם", "美"]);
});

test("pdf: a letter with its accent as a sign of its own, when it is written, is one letter", async () => {
  const { text, unwritten } = await drawn([para("Jose\u0301")]);
  expect(text[0]).toContain("José");
  expect(unwritten).toEqual([]);
});

test("pdf: the same document, when it is drawn again, is the same file; another one is not", async () => {
  const blocks = [heading(1, "One"), para(SENTENCE.repeat(30)), table(["a"], ["b"])];
  const [one, again, other] = [await drawn(blocks), await drawn(blocks), await drawn([heading(1, "Two")])];
  expect(Buffer.compare(one.bytes, again.bytes)).toBe(0);
  expect(Buffer.compare(one.bytes, other.bytes)).not.toBe(0);
});

test("pdf: headings, when they are drawn, are the outline, each under the one above it, at its page", async () => {
  const { bytes } = await drawn([
    heading(1, "Memorandum"),
    heading(2, "Children"),
    heading(3, "Holidays"),
    { type: "pageBreak" },
    heading(2, "Home"),
  ]);
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise;
  const outline = await pdf.getOutline();
  expect(outline).toMatchObject([
    { title: "Memorandum", items: [{ title: "Children", items: [{ title: "Holidays" }] }, { title: "Home" }] },
  ]);
  expect(pdf.numPages).toBe(2);
});

test("pdf: a table over several pages, when it is drawn, has its headings on each, and every row once", async () => {
  const rows = Array.from({ length: 120 }, (_, index) => [`Item ${index + 1}.`, `£${index + 1}`]);
  const { text } = await drawn([para("Before"), table(["What it is", "How much"], ...rows), para("After")]);
  expect(text.length).toBeGreaterThan(2);
  for (const page of text) expect(page.split("What it is").length).toBe(2);
  for (const [what] of rows) expect(text.join("").split(what ?? "").length, what).toBe(2);
});

test("pdf: a row that is higher than a page, when it is drawn, goes on with the next, and loses no word", async () => {
  const long = Array.from({ length: 400 }, (_, index) => `w${index + 1} `).join("");
  const tall = cell(...Array.from({ length: 8 }, () => para(long)));
  const { text } = await drawn([table(["Long", "Short"], [tall, "beside"]), para("after it")]);
  expect(text.length).toBeGreaterThan(2);
  const all = text.join("");
  expect(all.match(/w400/g)).toHaveLength(8);
  expect(all.match(/beside/g)).toHaveLength(1);
  expect(all.indexOf("after it")).toBeGreaterThan(all.lastIndexOf("w400"));
});

test("pdf: rows that a cell spans, when a page ends in them, stay together", async () => {
  const spanning = { ...cell(para("Both of these")), attrs: { colspan: 1, rowspan: 2, colwidth: null } };
  const filling = Array.from({ length: 33 }, (_, index) => [`r${index}`, "x"]);
  const { text } = await drawn([table(["a", "b"], ...filling, [spanning, "first half"], ["second half"])]);
  const page = text.findIndex((words) => words.includes("first half"));
  expect(text[page]).toContain("second half");
  expect(text[page]).toContain("Both of these");
});

test("pdf: a heading, wherever a page ends, is never the last thing on it, and no line of a paragraph is left alone", async () => {
  for (let lines = 30; lines < 52; lines += 1) {
    const filling = Array.from({ length: lines }, () => para("line"));
    const { text } = await drawn([...filling, heading(2, "Begins"), para(SENTENCE.repeat(3))]);
    const page = text.findIndex((words) => words.includes("Begins"));
    expect(squeezed(text[page] ?? "")).toMatch(/BeginsThisrecordswhatwasproposed.*order\./);
  }
});

test("pdf: a picture, when it is drawn, is in the file; one that is broken or missing stands as its words", async () => {
  const shown = (id: string) => image(id, { alt: `The ${id} plan`, widthPercent: 40 });
  const images = new Map([
    ["good", aPng()],
    ["broken", aPng().slice(0, 60)],
    ["odd", Uint8Array.from(Buffer.from("no picture at all"))],
  ]);
  const { text, bytes } = await drawn(["good", "broken", "odd", "missing"].map(shown), { images });
  expect(text.join()).not.toContain("The good plan");
  for (const id of ["broken", "odd", "missing"]) expect(text.join()).toContain(`Picture: The ${id} plan`);
  expect(
    Buffer.from(bytes)
      .toString("latin1")
      .match(/\/Subtype \/Image/g),
  ).toHaveLength(1);
});

test("pdf: a picture, when it is drawn, stands where it is set, says what it shows, and shrinks to a page", async () => {
  const images = new Map([["plan", aPng(40)]]);
  const draw = async (attrs: Partial<ImageBlock["attrs"]>) => {
    const { bytes } = await drawn([para("Before"), image("plan", { alt: "Plán £", widthPercent: 25, ...attrs })], {
      images,
    });
    return { bytes, ...(await placeOfPicture(bytes)) };
  };
  const [left, centre, right] = [await draw({}), await draw({ align: "center" }), await draw({ align: "right" })];
  expect(left.x).toBeLessThan(centre.x);
  expect(centre.x).toBeLessThan(right.x);
  expect(right.x + right.width).toBeCloseTo(left.x + 4 * left.width, 0);
  expect(left.marked.join()).toContain("Span");
  expect((await draw({ isDecorative: true })).marked.join()).toContain("Artifact");
  const tall = await drawn([para("x"), image("plan", { widthPercent: 100 })], { images });
  expect((await placeOfPicture(tall.bytes)).width).toBeLessThanOrEqual(470.6);
  expect(tall.text).toHaveLength(1);
});

test("pdf: a logo, when there is one, stands on each page; one that is broken keeps nothing from being written", async () => {
  const head = { name: "Quillfeather", mark: "OPEN", logo: "logo" };
  const counted = async (logo: Uint8Array<ArrayBuffer>) => {
    const { bytes, text } = await drawn([para(SENTENCE.repeat(160))], { head, images: new Map([["logo", logo]]) });
    const pages = await Promise.all(text.map((_, index) => placeOfPicture(bytes, index + 1)));
    for (const page of text) expect(page).toContain("Quillfeather");
    return pages.map(({ count }) => count);
  };
  const counts = await counted(aPng(30));
  expect(counts.length).toBeGreaterThan(1);
  expect(new Set(counts)).toEqual(new Set([1]));
  expect(new Set(await counted(aPng(30).slice(0, 50)))).toEqual(new Set([0]));
});

test("pdf: mark, name, foot and number, when there are several pages, stand on each", async () => {
  const { text } = await drawn([para(SENTENCE.repeat(160))], {
    head: { name: "Quillfeather", mark: "WITHOUT PREJUDICE" },
    watermark: "WITHOUT PREJUDICE",
  });
  expect(text.length).toBeGreaterThan(2);
  for (const [index, page] of text.entries()) {
    expect(page.match(/WITHOUT PREJUDICE/g)).toHaveLength(2);
    expect(page).toContain("Quillfeather");
    expect(page).toContain(`For the parties Page ${index + 1} of ${text.length}`);
  }
});

test("pdf: a field that has no value, when it is drawn, says which it is", async () => {
  const { text } = await drawn([
    para("Dear ", field("client.firstName"), field("meeting.date", "some day"), field("today", "", "Monday")),
  ]);
  expect(text[0]).toContain("Dear [First name]some dayMonday");
});

test("pdf: a link, when it is drawn, leads where it says", async () => {
  const href = "https://example.org/plan";
  const { bytes } = await drawn([para({ type: "text", text: "The plan", marks: [{ type: "link", attrs: { href } }] })]);
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise;
  expect(await (await pdf.getPage(1)).getAnnotations()).toMatchObject([{ url: href }]);
});

test("pdf: more pages than anybody prints, when they are drawn, are refused", async () => {
  const breaks = Array.from({ length: 301 }, () => [para("x"), { type: "pageBreak" } as const]).flat();
  await expect(work(document(breaks))).rejects.toThrow("more than 300 pages");
});

test("pdf: whatever a document holds, its words stand on the pages in their order", async () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcłżαβжд".split("")), minLength: 1, maxLength: 60 });
  const words = fc.array(word, { minLength: 1, maxLength: 40 }).map((all) => all.join(" "));
  const block = fc.oneof(
    words.map((text) => ({ text, block: para(text) })),
    words.map((text) => ({ text, block: heading(2, text) })),
    words.map((text) => ({ text, block: { type: "blockquote" as const, content: [para(text)] } })),
    words.map((text) => ({ text, block: table([text]) })),
    words.map((text) => ({
      text,
      block: { type: "paragraph" as const, attrs: { textAlign: "justify" as const }, content: [bold(text)] },
    })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), async (blocks) => {
      const { text, unwritten } = await drawn(blocks.map((one) => one.block));
      const all = text.map((page) => page.replace(/For the parties Page \d+ of \d+$/, "")).join("");
      expect(squeezed(all)).toBe(squeezed(blocks.map((one) => one.text).join("")));
      expect(unwritten).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test.each<[string, () => DocumentBlock[]]>([
  ["one word as long as a book", () => [para("a".repeat(1_000_000))]],
  ["spaces without end", () => [para(" ".repeat(1_000_000))]],
  ["cells that span whatever comes", () => [table(["x"], ...Array.from({ length: 400 }, () => spanning(12)))]],
])("pdf: %s, when it is drawn, takes no longer than a long document does", async (_what, blocks) => {
  const begun = process.cpuUsage().user;
  await work(document(blocks()));
  expect((process.cpuUsage().user - begun) / 1_000_000).toBeLessThan(5);
});

const spanning = (cells: number) =>
  Array.from({ length: cells }, () => ({ ...cell(para("x")), attrs: { colspan: 12, rowspan: 1000, colwidth: null } }));
