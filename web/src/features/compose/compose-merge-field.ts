// A merge field in the editor: one thing that is put in, moved and deleted whole. Stored, it is {{client.firstName}}.
import { isMergeField, MERGE_FIELDS, type MergeValues, piecesOf } from "@app/shared/merge-fields";
import { type RichText, richTextSchema } from "@app/shared/rich-text";
import { type JSONContent, Node } from "@tiptap/core";

interface Options {
  values: MergeValues;
}

export const MergeFieldNode = Node.create<Options>({
  name: "mergeField",
  group: "inline",
  inline: true,
  atom: true,
  addOptions: () => ({ values: {} }),
  addAttributes: () => ({ path: { default: "" } }),
  parseHTML: () => [{ tag: "span[data-merge-field]" }],
  renderHTML({ node }) {
    const path = String(node.attrs["path"]);
    const label = isMergeField(path) ? MERGE_FIELDS[path] : path;
    const value = isMergeField(path) ? this.options.values[path] : undefined;
    return [
      "span",
      {
        "data-merge-field": path,
        class: "merge-field",
        title: label,
        ...(value ? {} : { "data-missing": "true" }),
      },
      value ?? `${label}: no value`,
    ];
  },
  renderText: ({ node }) => `{{${String(node.attrs["path"])}}}`,
});

/** The text as the editor draws it: each field a thing of its own. */
export const withFields = (node: JSONContent): JSONContent =>
  node.content ? { ...node, content: node.content.flatMap(inPieces) } : node;

function inPieces(node: JSONContent): JSONContent[] {
  if (node.type !== "text" || node.text === undefined) return [withFields(node)];
  return piecesOf(node.text).map(({ text, path }) =>
    path !== null && isMergeField(path) ? { type: "mergeField", attrs: { path } } : { ...node, text },
  );
}

const withoutFields = (node: JSONContent): JSONContent => {
  if (node.type === "mergeField") return { type: "text", text: `{{${String(node.attrs?.["path"])}}}` };
  return node.content ? { ...node, content: node.content.map(withoutFields) } : node;
};

/** The text as it is stored; null where it is too long or nested too deeply. */
export function storedText(json: JSONContent): RichText | null {
  const parsed = richTextSchema.safeParse(withoutFields(json));
  return parsed.success ? parsed.data : null;
}
