import { documentContentSchema } from "@app/shared/document-content";
import { expect, test } from "vitest";
import { storedForm } from "../../web/src/features/documents/stored-form.ts";

test("storedForm: of what the editor says more of, such as how a list is counted, only what is stored is left", () => {
  const words = { type: "paragraph", attrs: { textAlign: null, class: "x" }, content: [{ type: "text", text: "a" }] };
  const list = {
    type: "orderedList",
    attrs: { start: 3, type: "a" },
    content: [{ type: "listItem", content: [words] }],
  };
  const cell = {
    type: "tableCell",
    attrs: { colspan: 1, rowspan: 1, colwidth: null, align: "left" },
    content: [words],
  };
  const table = { type: "table", content: [{ type: "tableRow", content: [cell] }] };
  const field = { type: "mergeField", attrs: { path: "client.fullName", fallback: "", said: null } };
  const held = { type: "doc", content: [list, table, { type: "paragraph", content: [field] }] };
  expect(documentContentSchema.safeParse(held).success).toBe(false);
  const stored = documentContentSchema.parse(storedForm(held));
  expect(JSON.stringify(stored)).not.toMatch(/"class"|"align"|"type":"a"/);
  expect(stored.content[0]).toMatchObject({ type: "orderedList", attrs: { start: 3 } });
  expect(JSON.stringify(stored)).toContain("client.fullName");
});
