import type { JSONContent } from "@tiptap/core";

/** What is kept of what the editor says of a piece; it says more of some, such as how a list is counted. */
const KEPT: Record<string, readonly string[]> = {
  paragraph: ["textAlign"],
  heading: ["level", "textAlign"],
  orderedList: ["start"],
  tableCell: ["colspan", "rowspan", "colwidth"],
  tableHeader: ["colspan", "rowspan", "colwidth"],
};

/** What the editor holds, with what is stored of it and nothing else. */
export function storedForm(node: JSONContent): JSONContent {
  const kept = KEPT[node.type ?? ""];
  const attrs = kept && Object.entries(node.attrs ?? {}).filter(([name]) => kept.includes(name));
  return {
    ...node,
    ...(attrs && { attrs: Object.fromEntries(attrs) }),
    ...(node.content && { content: node.content.map(storedForm) }),
  };
}
