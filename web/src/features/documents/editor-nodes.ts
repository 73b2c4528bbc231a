// What a document has beside words: fields, parts that stay or go, page breaks, and cells without tables.
import type { ConditionTest } from "@app/shared/document-content";
import { fieldName, isBlank, isRepeatOver, REPEATS } from "@app/shared/document-fields";
import { type Editor, Node } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { BulletList, ListItem, ListKeymap, OrderedList } from "@tiptap/extension-list";
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { SharedWidthTableView } from "./table-view.ts";

const WORDS = "(paragraph|heading|bulletList|orderedList|blockquote)+";
const IN_CELLS = "(paragraph|heading|bulletList|orderedList|blockquote|horizontalRule|image)+";
const CELL_MIN_WIDTH = 40;

interface FieldOptions {
  /** Nothing was said yet: no field is missing. */
  isTemplate: boolean;
}

export const MergeField = Node.create<FieldOptions>({
  name: "mergeField",
  group: "inline",
  inline: true,
  atom: true,
  addOptions: () => ({ isTemplate: false }),
  addAttributes: () => ({ path: { default: "" }, fallback: { default: "" }, said: { default: null } }),
  parseHTML: () => [
    {
      tag: "span[data-merge-field]",
      getAttrs: (element) => ({
        path: element.dataset["mergeField"] ?? "",
        fallback: element.dataset["fallback"] ?? "",
        said: element.dataset["said"] ?? null,
      }),
    },
  ],
  renderHTML({ node }) {
    const [path, fallback] = [String(node.attrs["path"]), String(node.attrs["fallback"])];
    const said: unknown = node.attrs["said"];
    const shown = typeof said === "string" ? said : this.options.isTemplate ? "" : fallback;
    const isMissing = shown === "" && (!this.options.isTemplate || isBlank(path));
    return [
      "span",
      {
        "data-merge-field": path,
        ...(fallback && { "data-fallback": fallback }),
        ...(typeof said === "string" && { "data-said": said }),
        class: "document-field",
        title: fieldName(path),
        ...(isMissing && { "data-missing": "" }),
      },
      shown || fieldName(path),
    ];
  },
  renderText: ({ node }) => {
    const said: unknown = node.attrs["said"];
    return typeof said === "string" ? said : String(node.attrs["fallback"]);
  },
});

const partAttributes = (words: string) => ({ "data-part": words, class: "document-part" });

/** How a part that stays or goes is called on the screen. */
export const conditionWords = (path: string, test: ConditionTest): string => {
  const asked = isRepeatOver(path) ? `any ${REPEATS[path].name}` : fieldName(path);
  return test === "is-there" ? `Only if there is: ${asked}` : `Only if there is not: ${asked}`;
};

export const Conditional = Node.create({
  name: "conditional",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({ path: { default: "" }, test: { default: "is-there" } }),
  parseHTML: () => [
    {
      tag: "div[data-condition]",
      getAttrs: (element) => ({ path: element.dataset["condition"], test: element.dataset["test"] }),
    },
  ],
  renderHTML({ node }) {
    const path = String(node.attrs["path"]);
    const test = node.attrs["test"] === "is-missing" ? "is-missing" : "is-there";
    return [
      "div",
      { "data-condition": path, "data-test": test, ...partAttributes(conditionWords(path, test)) },
      ["div", 0],
    ];
  },
});

export const Repeat = Node.create({
  name: "repeat",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({ over: { default: "parties" } }),
  parseHTML: () => [{ tag: "div[data-repeat]", getAttrs: (element) => ({ over: element.dataset["repeat"] }) }],
  renderHTML({ node }) {
    const over = String(node.attrs["over"]);
    const words = isRepeatOver(over) ? `Again for each ${REPEATS[over].name}` : "Again for each";
    return ["div", { "data-repeat": over, ...partAttributes(words) }, ["div", 0]];
  },
});

export const PageBreak = Node.create({
  name: "pageBreak",
  group: "block",
  atom: true,
  parseHTML: () => [{ tag: "div[data-page-break]" }],
  renderHTML: () => ["div", { "data-page-break": "", class: "document-page-break" }, "New page"],
  addKeyboardShortcuts() {
    return { "Mod-Enter": () => insertPageBreak(this.editor) };
  },
});

/** Whoever goes on writing does so behind it: selected, it would give way to the next letter. */
export const insertPageBreak = (editor: Editor): boolean =>
  editor
    .chain()
    .focus()
    .insertContent({ type: PageBreak.name })
    .command(({ tr }) => {
      if (!(tr.selection instanceof NodeSelection)) return true;
      const behind = tr.selection.to;
      const next = tr.doc.resolve(behind).nodeAfter;
      const paragraph = tr.doc.type.schema.nodes["paragraph"];
      if (paragraph && (!next || next.isAtom)) tr.insert(behind, paragraph.create());
      tr.setSelection(TextSelection.near(tr.doc.resolve(behind), 1));
      return true;
    })
    .run();

/** What of the usual nodes is narrower here: lists and quotations hold words, cells hold no tables. */
export const NARROWED = [
  ListItem.extend({ content: "paragraph (paragraph|heading|bulletList|orderedList|blockquote)*" }),
  BulletList,
  OrderedList,
  ListKeymap,
  Blockquote.extend({ content: WORDS }),
  Table.configure({
    resizable: true,
    cellMinWidth: CELL_MIN_WIDTH,
    lastColumnResizable: false,
    View: SharedWidthTableView,
  }),
  TableRow,
  TableHeader.extend({ content: IN_CELLS }),
  TableCell.extend({ content: IN_CELLS }),
];
