import { isSafeHref, type RichText, richTextSchema } from "@app/shared/rich-text";
import { Link, RichTextEditor as Editor } from "@mantine/tiptap";
import { Placeholder } from "@tiptap/extensions";
import { useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useEffect } from "react";
import "./rich-text.css";
import "./rich-text-editor.css";

interface Props {
  /** What stands in it at first; later texts come with another `key`. */
  initial: RichText;
  /** Said to those who do not see it: "Note". */
  label: string;
  placeholder?: string;
  /** Null where the text cannot be kept as it is: too long, or nested too deeply. */
  onChange: (doc: RichText | null) => void;
  /** Without its tools, where a line or two are written. */
  isPlain?: boolean;
  autoFocus?: boolean;
}

const CLASSES = { root: "rich-text-editor", toolbar: "rich-text-editor-toolbar", control: "rich-text-editor-control" };

/** Writes a text. Loaded only where somebody writes: import it lazily. */
export function RichTextEditor({
  initial,
  label,
  placeholder = "",
  onChange,
  isPlain = false,
  autoFocus = false,
}: Props) {
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ link: false, codeBlock: false, heading: { levels: [1, 2, 3] } }),
      Link.configure({ isAllowedUri: (href) => isSafeHref(href), openOnClick: false, defaultProtocol: "https" }),
      Placeholder.configure({ placeholder }),
    ],
    content: initial,
    autofocus: autoFocus ? "end" : false,
    immediatelyRender: true,
    shouldRerenderOnTransaction: false,
    injectCSS: false,
    editorProps: {
      attributes: { "aria-label": label, "aria-multiline": "true", role: "textbox", class: "rich-text" },
    },
    onUpdate: ({ editor: changed }) => onChange(docOf(changed.getJSON())),
  });
  useEffect(() => {
    editor.setOptions({
      editorProps: {
        attributes: { "aria-label": label, "aria-multiline": "true", role: "textbox", class: "rich-text" },
      },
    });
  }, [editor, label]);
  return (
    <Editor editor={editor} withTypographyStyles={false} withCodeHighlightStyles={false} classNames={CLASSES}>
      {!isPlain && <Tools />}
      <Editor.Content />
    </Editor>
  );
}

/** The editor's own form of the text, without what the allow-list leaves out. */
function docOf(json: unknown): RichText | null {
  const parsed = richTextSchema.safeParse(json);
  return parsed.success ? parsed.data : null;
}

function Tools() {
  return (
    <Editor.Toolbar>
      <Editor.ControlsGroup>
        <Editor.Bold />
        <Editor.Italic />
        <Editor.Underline />
        <Editor.Strikethrough />
      </Editor.ControlsGroup>
      <Editor.ControlsGroup>
        <Editor.H2 />
        <Editor.H3 />
        <Editor.BulletList />
        <Editor.OrderedList />
        <Editor.Blockquote />
      </Editor.ControlsGroup>
      <Editor.ControlsGroup>
        <Editor.Link />
        <Editor.Unlink />
      </Editor.ControlsGroup>
      <Editor.ControlsGroup>
        <Editor.Undo />
        <Editor.Redo />
      </Editor.ControlsGroup>
    </Editor.Toolbar>
  );
}
