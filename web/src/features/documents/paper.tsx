import { type DocumentContent, documentContentSchema, DOCUMENT_TOO_LARGE } from "@app/shared/document-content";
import { isSafeHref } from "@app/shared/rich-text";
import { Link, RichTextEditor as Writing } from "@mantine/tiptap";
import { Placeholder } from "@tiptap/extensions";
import { TextAlign } from "@tiptap/extension-text-align";
import { type Editor, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Conditional, MergeField, NARROWED, PageBreak, Repeat } from "./editor-nodes.ts";
import { PaperHead } from "./paper-head.tsx";
import { Picture } from "./picture-node.ts";
import { insertPictures } from "./picture-tools.tsx";
import { storedForm } from "./stored-form.ts";
import "../../ui/rich-text-editor.css";
import "./paper.css";

interface Props {
  textId: string;
  content: DocumentContent;
  label: string;
  isTemplate: boolean;
  isReadOnly: boolean;
  onChange: (content: DocumentContent) => void;
  /** What is written cannot be kept, and why. */
  onRefused: (why: string) => void;
  /** What stands around the page: tools above it, panes beside it. */
  frame: (editor: Editor, page: ReactNode) => ReactNode;
  watermark: string | null;
  /** At the head of each page. */
  mark: string;
}

const CLASSES = {
  root: "paper-editor",
  toolbar: "rich-text-editor-toolbar",
  control: "rich-text-editor-control",
  content: "paper-content",
};

/** The page on which somebody writes. Loaded only where somebody does: import it lazily. */
export function Paper(props: Props) {
  const { textId, content, label, isTemplate, isReadOnly, onChange, onRefused, frame, watermark, mark } = props;
  const shown = useRef(content);
  const attributes = { "aria-label": label, "aria-multiline": "true", role: "textbox", class: "paper-text" };
  const editor = useEditor({
    extensions: extensionsOf(textId, isTemplate),
    content,
    editable: !isReadOnly,
    immediatelyRender: true,
    shouldRerenderOnTransaction: false,
    injectCSS: false,
    editorProps: {
      attributes,
      handlePaste: (_view, event) => takePictures(event.clipboardData),
      handleDrop: (view, event) =>
        takePictures(event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos),
    },
    onUpdate({ editor: changed }) {
      const parsed = documentContentSchema.safeParse(storedForm(changed.getJSON()));
      if (!parsed.success) return onRefused(parsed.error.issues[0]?.message ?? DOCUMENT_TOO_LARGE);
      shown.current = parsed.data;
      onChange(parsed.data);
    },
  });
  /** Whether what is pasted or dropped is pictures, which are put in then. */
  function takePictures(data: DataTransfer | null, at?: number): boolean {
    const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (files.length === 0 || isReadOnly) return false;
    void insertPictures({ editor, textId }, files, at);
    return true;
  }
  const show = useEffectEvent((next: DocumentContent) => {
    if (next === shown.current) return;
    shown.current = next;
    editor.commands.setContent(next, { emitUpdate: false });
  });
  // What others wrote, or an earlier version: the editor takes it over, and tells nobody.
  useEffect(() => show(content), [content]);
  useEffect(() => {
    editor.setEditable(!isReadOnly, false);
  }, [editor, isReadOnly]);
  const page = (
    <div className="paper" data-watermark={watermark ?? undefined}>
      <PaperHead mark={mark} />
      <Writing.Content />
    </div>
  );
  return (
    <Writing editor={editor} withTypographyStyles={false} withCodeHighlightStyles={false} classNames={CLASSES}>
      {frame(editor, page)}
    </Writing>
  );
}

const extensionsOf = (textId: string, isTemplate: boolean) => [
  StarterKit.configure({
    link: false,
    codeBlock: false,
    // A document ends with what somebody wrote last, and is not changed by being opened.
    trailingNode: false,
    heading: { levels: [1, 2, 3] },
    listItem: false,
    bulletList: false,
    orderedList: false,
    listKeymap: false,
    blockquote: false,
  }),
  ...NARROWED,
  Link.configure({ isAllowedUri: (href) => isSafeHref(href), openOnClick: false, defaultProtocol: "https" }),
  TextAlign.configure({ types: ["heading", "paragraph"], alignments: ["left", "center", "right", "justify"] }),
  Placeholder.configure({ placeholder: "Write here, or put in a field" }),
  MergeField.configure({ isTemplate }),
  Conditional,
  Repeat,
  PageBreak,
  Picture.configure({ textId }),
];
