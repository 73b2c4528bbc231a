import { Menu } from "@mantine/core";
import { RichTextEditor as Writing } from "@mantine/tiptap";
import { type Editor, useEditorState } from "@tiptap/react";
import {
  IconAlignCenter,
  IconAlignJustified,
  IconAlignLeft,
  IconAlignRight,
  IconChevronDown,
  IconPageBreak,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { insertPageBreak } from "./editor-nodes.ts";
import { PictureTools } from "./picture-tools.tsx";
import { TableTools } from "./table-tools.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  editor: Editor;
  textId: string;
  isReadOnly: boolean;
  /** At the end of the tools. */
  children?: ReactNode;
}

/** How words are set, and what is put between them. */
export function WritingTools({ editor, textId, isReadOnly, children }: Props) {
  return (
    <Writing.Toolbar role="toolbar" aria-label="Writing tools">
      {!isReadOnly && <SettingTools editor={editor} textId={textId} />}
      <span className="writing-tools-end">{children}</span>
    </Writing.Toolbar>
  );
}

function SettingTools({ editor, textId }: Pick<Props, "editor" | "textId">) {
  return (
    <>
      <BlockMenu editor={editor} />
      <Writing.ControlsGroup>
        <Writing.Bold />
        <Writing.Italic />
        <Writing.Underline />
        <Writing.Strikethrough />
      </Writing.ControlsGroup>
      <Writing.ControlsGroup>
        <Writing.BulletList />
        <Writing.OrderedList />
        <Writing.Blockquote />
        <TableTools editor={editor} />
        <PictureTools editor={editor} textId={textId} />
        <AlignMenu editor={editor} />
      </Writing.ControlsGroup>
      <Writing.ControlsGroup>
        <Writing.Link />
        <Writing.Hr />
        <Writing.Control aria-label="New page" title="New page (Ctrl + Enter)" onClick={() => insertPageBreak(editor)}>
          <IconPageBreak {...icon} />
        </Writing.Control>
      </Writing.ControlsGroup>
      <Writing.ControlsGroup>
        <Writing.Undo />
        <Writing.Redo />
      </Writing.ControlsGroup>
    </>
  );
}

const LEVELS = [1, 2, 3] as const;

function BlockMenu({ editor }: { editor: Editor }) {
  const level = useEditorState({
    editor,
    selector: ({ editor: now }) => LEVELS.find((one) => now.isActive("heading", { level: one })) ?? null,
  });
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className="writing-block">
          <span className="visually-hidden">What this is: </span>
          {level ? `Heading ${level}` : "Text"}
          <IconChevronDown size={14} stroke={1.7} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => editor.chain().focus().setParagraph().run()}>Text</Menu.Item>
        {LEVELS.map((one) => (
          <Menu.Item key={one} onClick={() => editor.chain().focus().setHeading({ level: one }).run()}>
            Heading {one}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const ALIGNMENTS = [
  { value: "left", label: "Left", Icon: IconAlignLeft },
  { value: "center", label: "Centred", Icon: IconAlignCenter },
  { value: "right", label: "Right", Icon: IconAlignRight },
  { value: "justify", label: "Both sides", Icon: IconAlignJustified },
] as const;

function AlignMenu({ editor }: { editor: Editor }) {
  const chosen = useEditorState({
    editor,
    selector: ({ editor: now }) => ALIGNMENTS.find(({ value }) => now.isActive({ textAlign: value }))?.value ?? "left",
  });
  const { Icon } = ALIGNMENTS.find(({ value }) => value === chosen) ?? ALIGNMENTS[0];
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Writing.Control aria-label="Alignment" title="Alignment">
          <Icon {...icon} />
        </Writing.Control>
      </Menu.Target>
      <Menu.Dropdown>
        {ALIGNMENTS.map(({ value, label, Icon: Own }) => (
          <Menu.Item
            key={value}
            leftSection={<Own {...icon} />}
            onClick={() => editor.chain().focus().setTextAlign(value).run()}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
