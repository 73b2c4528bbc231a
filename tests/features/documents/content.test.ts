import { DOCUMENT_NODES_MAX, type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import type { DocumentValues } from "@app/shared/document-fields";
import { resolveDocument } from "@app/shared/document-merge";
import { fieldsIn, linesOf, missingIn } from "@app/shared/document-walk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bold,
  bullets,
  cell,
  doc,
  field,
  forEach,
  heading,
  image,
  para,
  table,
  when,
} from "../../support/documents/content.ts";

const isAllowed = (content: unknown) => documentContentSchema.safeParse(content).success;
const nested = (depth: number): unknown =>
  depth === 0 ? para("x") : { type: "blockquote", content: [nested(depth - 1)] };

describe("documentContentSchema", () => {
  test("documentContentSchema: all that the editor offers is allowed and kept", () => {
    const content = doc(
      heading(1, "Agreement"),
      {
        type: "paragraph",
        attrs: { textAlign: "justify" },
        content: [field("client.fullName", "you"), bold(" agrees")],
      },
      bullets("one", "two"),
      { type: "orderedList", attrs: { start: 3 }, content: [{ type: "listItem", content: [para("three")] }] },
      { type: "blockquote", content: [para("quoted")] },
      { type: "horizontalRule" },
      { type: "pageBreak" },
      {
        type: "image",
        attrs: { pictureId: "picture-1", alt: "A plan", isDecorative: false, widthPercent: 60, align: "center" },
      },
      table(
        ["What", "How much"],
        ["House", { ...cell(para("£1")), attrs: { colspan: 1, rowspan: 2, colwidth: [120] } }],
      ),
      when("children", "is-there", para("They have children.")),
      forEach("children", para(field("each.firstName"))),
    );
    expect(documentContentSchema.parse(content)).toEqual(content);
  });

  test("documentContentSchema: what is left out is filled in, and what a piece does not have is refused", () => {
    const list = (attrs: object) => ({
      type: "doc",
      content: [
        { type: "paragraph" },
        { type: "orderedList", attrs, content: [{ type: "listItem", content: [{ type: "paragraph" }] }] },
      ],
    });
    expect(documentContentSchema.parse(list({ start: 1 })).content).toEqual([
      para(),
      { type: "orderedList", attrs: { start: 1 }, content: [{ type: "listItem", content: [para()] }] },
    ]);
    expect(documentContentSchema.safeParse(list({ start: 1, type: null })).success).toBe(false);
  });

  test.each<[string, unknown]>([
    [
      "a link that runs a script",
      doc(para({ type: "text", text: "x", marks: [{ type: "link", attrs: { href: "javascript:alert(1)" } }] })),
    ],
    ["a picture from elsewhere", doc(image("https://example.org/a.png"))],
    [
      "a table within a table",
      {
        type: "doc",
        content: [
          { type: "table", content: [{ type: "tableRow", content: [{ type: "tableCell", content: [table(["a"])] }] }] },
        ],
      },
    ],
    [
      "a column over a hundred others",
      doc(table([{ ...cell(para("a")), attrs: { colspan: 100, rowspan: 1, colwidth: null } }])),
    ],
    ["a path that is none", doc(para(field("client.fullName}}<b>")))],
    ["a kind of block that nobody knows", { type: "doc", content: [{ type: "iframe" }] }],
    ["quotations in quotations", { type: "doc", content: [nested(200)] }],
    ["quotations upon quotations to a hundred thousand", { type: "doc", content: [nested(2000)] }],
    ["more than anybody writes", doc(...Array.from({ length: DOCUMENT_NODES_MAX }, () => para("x")))],
    ["each within each", doc(forEach("parties", when("children", "is-there", forEach("children", para("x")))))],
    ["no document", null],
  ])("documentContentSchema: %s, when it is sent, is refused", (_what, content) =>
    expect(isAllowed(content)).toBe(false),
  );
});

const told = (content: DocumentContent, values: DocumentValues, repeats = {}) =>
  resolveDocument(content, { values, repeats });

describe("resolveDocument", () => {
  test("resolveDocument: each field says its value and keeps its place and its marks", () => {
    const content = doc(para("Dear ", { ...field("client.firstName"), marks: [{ type: "bold" }] }, ","));
    const resolved = told(content, { "client.firstName": "Maya" });
    expect(linesOf(resolved.content)).toEqual(["Dear Maya,"]);
    expect(fieldsIn(resolved.content)).toEqual([
      {
        type: "mergeField",
        attrs: { path: "client.firstName", fallback: "", said: "Maya" },
        marks: [{ type: "bold" }],
      },
    ]);
    expect(resolved).toMatchObject({ missing: [], said: { "client.firstName": "Maya" } });
  });

  test("resolveDocument: a field without a value has its other words, or is named once as missing", () => {
    const content = doc(
      para(field("meeting.date", "a day we agree"), field("meeting.time")),
      table(["When"], [cell(para(field("meeting.time")))]),
      bullets("x"),
    );
    const resolved = told(content, {});
    expect(resolved.missing).toEqual(["meeting.time"]);
    expect(missingIn(resolved.content)).toEqual(["meeting.time"]);
    expect(linesOf(resolved.content)).toEqual(["a day we agree[meeting.time]", "When", "[meeting.time]", "x"]);
  });

  test("resolveDocument: a part stays or goes by whether there is a value, or anybody in a list", () => {
    const content = doc(
      when("meeting.date", "is-there", para("We meet.")),
      when("meeting.date", "is-missing", para("We have no day yet.")),
      when("children", "is-there", para("Children")),
      when("children", "is-missing", para("No children")),
    );
    expect(linesOf(told(content, {}).content)).toEqual(["We have no day yet.", "No children"]);
    expect(linesOf(told(content, { "meeting.date": "Monday" }, { children: [{}] }).content)).toEqual([
      "We meet.",
      "Children",
    ]);
    expect(told(content, { "meeting.date": "Monday" })).toMatchObject({ missing: [], said: {} });
  });

  test("resolveDocument: a repeated part is written for each, and each says their own", () => {
    const content = doc(forEach("children", para(field("each.firstName"), ", ", field("each.age", "age not known"))));
    const children = [{ "each.firstName": "Mila", "each.age": "9" }, { "each.firstName": "Jan" }];
    expect(linesOf(told(content, {}, { children }).content)).toEqual(["Mila, 9", "Jan, age not known"]);
    expect(linesOf(told(content, {}).content)).toEqual([""]);
    expect(told(doc(para(field("each.firstName"))), {}, { children }).missing).toEqual(["each.firstName"]);
  });

  test("resolveDocument: what a template claims was said is not believed", () => {
    const content = doc(para(field("otherParty.fullName", "", "Owen Hart")));
    expect(told(content, {})).toMatchObject({ missing: ["otherParty.fullName"] });
    expect(linesOf(told(content, {}).content)).toEqual(["[otherParty.fullName]"]);
  });

  test("resolveDocument: words that look like a field stay words, and a value that looks like one is not read again", () => {
    expect(linesOf(told(doc(para("{{today}}")), { today: "Monday" }).content)).toEqual(["{{today}}"]);
    const value = told(doc(para(field("client.firstName"))), { "client.firstName": "{{today}}", today: "Monday" });
    expect(linesOf(value.content)).toEqual(["{{today}}"]);
  });

  test("resolveDocument: whatever a document without fields holds comes out as it went in", () => {
    const words = fc.string({ minLength: 1 });
    const block = fc.oneof(
      words.map((text) => para(text)),
      words.map((text) => heading(2, text)),
      fc.array(words, { minLength: 1, maxLength: 3 }).map((items) => bullets(...items)),
      words.map((text) => table([text], [text])),
    );
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
        const content = doc(...blocks);
        expect(told(content, { today: "Monday" })).toEqual({ content, missing: [], said: {} });
      }),
      { numRuns: 200 },
    );
  });
});
