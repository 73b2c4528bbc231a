import type { DocumentKind } from "@app/shared/document-kind-list";
import {
  blankPath,
  DOCUMENT_FIELDS,
  DOCUMENT_PATHS,
  fieldGroupsOf,
  isRepeatOver,
  type RepeatOver,
  REPEATS,
} from "@app/shared/document-fields";
import { Button, Menu } from "@mantine/core";
import { type Editor, type JSONContent, useEditorState } from "@tiptap/react";
import { IconBraces } from "@tabler/icons-react";
import { conditionWords } from "./editor-nodes.ts";

const CONDITIONS = ["client.address", "otherParty.fullName", "children", "meeting.date", "invitation.replyBy"] as const;
const CERTIFICATE_CONDITIONS = [
  "certificate.attendedOn",
  "certificate.firstSession",
  "certificate.urn",
  "certificate.late",
] as const;
/** What whoever makes the document has to write: named so that they know what. */
const BLANKS = ["amount", "day", "what was proposed", "words of your own"] as const;

const put = (editor: Editor, path: string) =>
  editor
    .chain()
    .focus()
    .insertContent({ type: "mergeField", attrs: { path, fallback: "", said: null } })
    .run();

interface Props {
  editor: Editor;
  kind: DocumentKind;
  isTemplate: boolean;
}

/** Puts a field in where somebody writes, or makes a part of what is selected. */
export function FieldMenu({ editor, kind, isTemplate }: Props) {
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconBraces size={16} stroke={1.7} aria-hidden />}>
          Merge field
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" className="document-menu">
        {fieldGroupsOf(kind).map(({ name, of }) => [
          <Menu.Label key={name}>{name}</Menu.Label>,
          ...DOCUMENT_PATHS.filter((path) => of.some((begin) => path.startsWith(begin))).map((path) => (
            <Menu.Item key={path} onClick={() => put(editor, path)}>
              {DOCUMENT_FIELDS[path]}
            </Menu.Item>
          )),
        ])}
        {isTemplate && <PartItems editor={editor} isCertificate={kind === "certificate"} />}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What only a template has: a document is made of it with all of them resolved. */
function PartItems({ editor, isCertificate }: { editor: Editor; isCertificate: boolean }) {
  const { over, isInPart, mayWrap } = useEditorState({
    editor,
    selector: ({ editor: now }) => {
      const repeat: unknown = now.getAttributes("repeat")["over"];
      return {
        over: typeof repeat === "string" && isRepeatOver(repeat) ? repeat : null,
        isInPart: now.isActive("conditional") || now.isActive("repeat"),
        mayWrap: !now.isActive("table") && !now.isActive("listItem") && !now.isActive("blockquote"),
      };
    },
  });
  return (
    <>
      {over && <Menu.Label>Of each {REPEATS[over].name}</Menu.Label>}
      {over &&
        Object.entries(REPEATS[over].fields).map(([path, name]) => (
          <Menu.Item key={path} onClick={() => put(editor, path)}>
            {name}
          </Menu.Item>
        ))}
      {!isCertificate && <Menu.Label>To fill in each time</Menu.Label>}
      {(isCertificate ? [] : BLANKS).map((name) => (
        <Menu.Item key={name} onClick={() => put(editor, blankPath(name))}>
          {name[0]?.toUpperCase() + name.slice(1)}
        </Menu.Item>
      ))}
      {mayWrap && <Menu.Label>Parts that stay, go or come again</Menu.Label>}
      {mayWrap &&
        (isCertificate ? CERTIFICATE_CONDITIONS : CONDITIONS).flatMap((path) =>
          (["is-there", "is-missing"] as const).map((test) => (
            <Menu.Item
              key={`${path} ${test}`}
              onClick={() => editor.chain().focus().wrapIn("conditional", { path, test }).run()}
            >
              {conditionWords(path, test)}
            </Menu.Item>
          )),
        )}
      {mayWrap &&
        !over &&
        (isCertificate ? (["certificate.statements"] as const) : (["parties", "children"] as const)).map((list) => (
          <Menu.Item key={list} onClick={() => editor.chain().focus().wrapIn("repeat", { over: list }).run()}>
            Again for each {REPEATS[list].name}
          </Menu.Item>
        ))}
      {mayWrap && !isInPart && <Menu.Label>Tables with a row for each</Menu.Label>}
      {mayWrap &&
        !isInPart &&
        ROW_LISTS.map((list) => (
          <Menu.Item key={list} onClick={() => editor.chain().focus().insertContent(tableFor(list)).run()}>
            {REPEATS[list].name[0]?.toUpperCase() + REPEATS[list].name.slice(1)}
          </Menu.Item>
        ))}
      {isInPart && <Menu.Item onClick={() => unwrap(editor)}>Keep this always, and once</Menu.Item>}
    </>
  );
}

/** What the participants disclosed and agreed, and what they propose. */
const ROW_LISTS = Object.keys(REPEATS)
  .filter(isRepeatOver)
  .filter((list) => REPEATS[list].isRows);

/** A table whose second row comes again for each, with a column for all that can be said of it. */
function tableFor(list: RepeatOver): JSONContent {
  const fields = Object.entries<string>(REPEATS[list].fields);
  const heads = fields.map(([, name]) => ({ type: "tableHeader", content: [paragraph({ type: "text", text: name })] }));
  const cells = fields.map(([path]) => ({
    type: "tableCell",
    content: [paragraph({ type: "mergeField", attrs: { path, fallback: "", said: null } })],
  }));
  const rows = [heads, cells].map((content) => ({ type: "tableRow", content }));
  return { type: "repeat", attrs: { over: list }, content: [{ type: "table", content: rows }] };
}

const paragraph = (inline: JSONContent): JSONContent => ({ type: "paragraph", content: [inline] });

/** Takes the words out of the innermost part around them. */
function unwrap(editor: Editor): void {
  const { $from } = editor.state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (node.type.name !== "conditional" && node.type.name !== "repeat") continue;
    const from = $from.before(depth);
    editor
      .chain()
      .focus()
      .insertContentAt({ from, to: from + node.nodeSize }, node.content.toJSON())
      .run();
    return;
  }
}
