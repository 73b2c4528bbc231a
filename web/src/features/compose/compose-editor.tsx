import { fieldMark, MERGE_FIELDS, MERGE_PATHS, type MergeField, type MergeValues } from "@app/shared/merge-fields";
import { isSafeHref, type RichText } from "@app/shared/rich-text";
import { Menu } from "@mantine/core";
import { Link, RichTextEditor as Editor } from "@mantine/tiptap";
import { Placeholder } from "@tiptap/extensions";
import { useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { IconBraces } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { MergeFieldNode, storedText, withFields } from "./compose-merge-field.ts";
import "../../ui/rich-text.css";
import "../../ui/rich-text-editor.css";
import "./compose-editor.css";

interface Props {
  /** What stands in it at first; later texts come with another `key`. */
  initial: RichText;
  label: string;
  /** What the fields stand for here; none while a template is written. */
  values: MergeValues | null;
  onChange: (doc: RichText | null) => void;
  /** Those that may be put in; all where left out. */
  fields?: readonly MergeField[];
  /** At the end of the tools. */
  tools?: ReactNode;
}

const CLASSES = { root: "rich-text-editor", toolbar: "rich-text-editor-toolbar", control: "rich-text-editor-control" };
const named = Object.fromEntries(MERGE_PATHS.map((path) => [path, MERGE_FIELDS[path]]));

/** Writes a message, with fields in it. Loaded only where somebody writes: import it lazily. */
export function ComposeEditor({ initial, label, values, onChange, fields = MERGE_PATHS, tools }: Props) {
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ link: false, codeBlock: false, heading: { levels: [2, 3] } }),
      Link.configure({ isAllowedUri: (href) => isSafeHref(href), openOnClick: false, defaultProtocol: "https" }),
      Placeholder.configure({ placeholder: "Write your message" }),
      MergeFieldNode.configure({ values: values ?? named }),
    ],
    content: withFields(initial),
    immediatelyRender: true,
    shouldRerenderOnTransaction: false,
    injectCSS: false,
    editorProps: {
      attributes: { "aria-label": label, "aria-multiline": "true", role: "textbox", class: "rich-text" },
    },
    onUpdate: ({ editor: changed }) => onChange(storedText(changed.getJSON())),
  });
  const insert = (path: MergeField) =>
    editor.chain().focus().insertContent({ type: "mergeField", attrs: { path } }).run();
  return (
    <Editor
      editor={editor}
      withTypographyStyles={false}
      withCodeHighlightStyles={false}
      classNames={CLASSES}
      className="compose-editor"
    >
      <Editor.Toolbar>
        <Editor.ControlsGroup>
          <Editor.Bold />
          <Editor.Italic />
          <Editor.BulletList />
          <Editor.Link />
        </Editor.ControlsGroup>
        <FieldMenu fields={fields} values={values} onChoose={insert} />
        <span className="compose-editor-space" />
        {tools}
      </Editor.Toolbar>
      <Editor.Content />
    </Editor>
  );
}

interface FieldMenuProps {
  fields: readonly MergeField[];
  values: MergeValues | null;
  onChoose: (path: MergeField) => void;
}

function FieldMenu({ fields, values, onChoose }: FieldMenuProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Editor.Control aria-label="Put in a field" title="Put in a field">
          <IconBraces aria-hidden />
        </Editor.Control>
      </Menu.Target>
      <Menu.Dropdown mah={320} className="compose-fields">
        {fields.map((path) => (
          <Menu.Item
            key={path}
            onClick={() => onChoose(path)}
            rightSection={<span className="compose-field-value">{values ? values[path] : fieldMark(path)}</span>}
          >
            {MERGE_FIELDS[path]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
