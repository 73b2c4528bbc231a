import {
  isSafeHref,
  plainText,
  RICH_TEXT_DEPTH_MAX,
  RICH_TEXT_MAX_LENGTH,
  type RichTextBlock,
  richTextOf,
  richTextSchema,
} from "@app/shared/rich-text";
import fc from "fast-check";
import { expect, test } from "vitest";

const link = (href: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: "x", marks: [{ type: "link", attrs: { href } }] }] }],
});

const isAllowed = (doc: unknown) => richTextSchema.safeParse(doc).success;

test("richTextSchema: everything that the editor offers is allowed and kept", () => {
  const doc = {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "House" }] },
      {
        type: "paragraph",
        content: [
          { type: "text", text: "Sell", marks: [{ type: "bold" }, { type: "italic" }] },
          { type: "hardBreak" },
          { type: "text", text: "in spring", marks: [{ type: "underline" }, { type: "strike" }, { type: "code" }] },
        ],
      },
      {
        type: "bulletList",
        content: [{ type: "listItem", content: [{ type: "paragraph", content: [{ type: "text", text: "one" }] }] }],
      },
      {
        type: "orderedList",
        attrs: { start: 3 },
        content: [{ type: "listItem", content: [{ type: "paragraph" }] }],
      },
      { type: "blockquote", content: [{ type: "paragraph", content: [{ type: "text", text: "quoted" }] }] },
      { type: "horizontalRule" },
    ],
  };
  const parsed = richTextSchema.parse(doc);
  expect(parsed).toEqual(doc);
  expect(plainText(parsed)).toBe("House\nSell\nin spring\none\n\nquoted");
});

test("richTextSchema: what a link carries beside its address is left out", () => {
  const doc = link("https://example.org/");
  const attrs = { href: "https://example.org/", target: "_blank", rel: null, class: "x", onclick: "alert(1)" };
  const more = structuredClone(doc);
  Object.assign(more.content[0]?.content[0]?.marks[0]?.attrs ?? {}, attrs);
  expect(richTextSchema.parse(more)).toEqual(doc);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "//evil.example",
  "/relative",
  "https://",
  'https://x" onmouseover="alert(1)',
  "https://example.org/\nx",
  `https://example.org/${"x".repeat(2000)}`,
])("richTextSchema: a link to %j is refused", (href) => {
  expect(isSafeHref(href)).toBe(false);
  expect(isAllowed(link(href))).toBe(false);
});

test.each(["https://example.org/a?b=c#d", "http://localhost:3000", "mailto:maya@example.org", "tel:+44 7700 900142"])(
  "richTextSchema: a link to %s is allowed",
  (href) => expect(isAllowed(link(href))).toBe(true),
);

test.each<[string, unknown]>([
  ["no document", { type: "paragraph" }],
  ["a text", "<script>alert(1)</script>"],
  ["nothing", null],
  ["an image", { type: "doc", content: [{ type: "image", attrs: { src: "x", onerror: "alert(1)" } }] }],
  ["raw HTML", { type: "doc", content: [{ type: "html", text: "<b>" }] }],
  [
    "an unknown mark",
    {
      type: "doc",
      content: [
        {
          type: "paragraph",
          content: [{ type: "text", text: "x", marks: [{ type: "textStyle", attrs: { color: "red" } }] }],
        },
      ],
    },
  ],
  ["an attribute of a paragraph", { type: "doc", content: [{ type: "paragraph", attrs: { style: "x" } }] }],
  ["a heading of level 7", { type: "doc", content: [{ type: "heading", attrs: { level: 7 } }] }],
  ["a text outside a paragraph", { type: "doc", content: [{ type: "text", text: "x" }] }],
  ["a list without items", { type: "doc", content: [{ type: "bulletList", content: [] }] }],
  ["a key of its own", { type: "doc", content: [], __proto__x: 1 }],
])("richTextSchema: %s is refused", (_what, doc) => {
  expect(isAllowed(doc)).toBe(false);
});

function nested(depth: number): RichTextBlock {
  let block: RichTextBlock = { type: "paragraph" };
  for (let level = 0; level < depth; level += 1) block = { type: "blockquote", content: [block] };
  return block;
}

test("richTextSchema: the limits hold at their edge, and a million levels are refused and not followed", () => {
  expect(isAllowed({ type: "doc", content: [nested(RICH_TEXT_DEPTH_MAX - 1)] })).toBe(true);
  expect(isAllowed({ type: "doc", content: [nested(RICH_TEXT_DEPTH_MAX)] })).toBe(false);
  expect(isAllowed({ type: "doc", content: [nested(1_000_000)] })).toBe(false);
  const overhead = JSON.stringify(richTextOf("x")).length - 1;
  expect(isAllowed(richTextOf("x".repeat(RICH_TEXT_MAX_LENGTH - overhead)))).toBe(true);
  expect(isAllowed(richTextOf("x".repeat(RICH_TEXT_MAX_LENGTH - overhead + 1)))).toBe(false);
});

test("richTextSchema: whatever JSON is thrown at it is answered, never with an exception", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(typeof isAllowed(value)).toBe("boolean");
      expect(typeof isAllowed({ type: "doc", content: value })).toBe("boolean");
    }),
  );
});

test("plainText: gives back the lines that richTextOf was given", () => {
  const line = fc.string().filter((text) => !/[\n\r]/.test(text));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const text = lines.join("\n");
      expect(plainText(richTextSchema.parse(richTextOf(text)))).toBe(text.trim());
    }),
  );
});
