import { ALT_MAX_LENGTH, PICTURE_PERCENT } from "@app/shared/document-content";
import { Button, Checkbox, FileButton, Popover, SegmentedControl, Textarea } from "@mantine/core";
import { RichTextEditor as Writing } from "@mantine/tiptap";
import { IconPhoto, IconTrash } from "@tabler/icons-react";
import { type Editor, useEditorState } from "@tiptap/react";
import { useState } from "react";
import { notifyError } from "../../core/notify.ts";
import { keepPicture } from "./keep-picture.ts";
import { type PictureAttributes, pictureAttributes } from "./picture-node.ts";
import "./pictures.css";

const ACCEPTED = "image/png,image/jpeg,image/webp,image/gif";
const WIDTHS = [25, 50, 75, PICTURE_PERCENT.max] as const;
const FIRST_WIDTH = 50;
const ALIGNMENTS = [
  { value: "left", label: "Left" },
  { value: "center", label: "Centred" },
  { value: "right", label: "Right" },
] as const;
const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  editor: Editor;
  textId: string;
}

/** Keeps these pictures for the text, and puts them in where somebody writes, or at `at`. */
export async function insertPictures({ editor, textId }: Props, files: readonly File[], at?: number): Promise<void> {
  for (const file of files) {
    try {
      const pictureId = await keepPicture(textId, file);
      const node = { type: "image", attrs: { pictureId, widthPercent: FIRST_WIDTH } };
      const chain = editor.chain().focus();
      if (at === undefined) chain.insertContent(node).run();
      else chain.insertContentAt(Math.min(at, editor.state.doc.content.size), node).run();
      selectPicture(editor, pictureId);
    } catch (error) {
      // Why it was not kept stands in it, whoever refused it.
      notifyError(error instanceof Error ? error.message : "This picture was not kept. Try again.");
    }
  }
}

/** So that what is to be said of it can be said at once. */
export function selectPicture(editor: Editor, pictureId: string): void {
  let found: number | null = null;
  editor.state.doc.descendants((node, at) => {
    if (node.type.name === "image" && node.attrs["pictureId"] === pictureId) found = at;
  });
  if (found !== null) editor.chain().focus().setNodeSelection(found).scrollIntoView().run();
}

/** A new picture, or what is done with the one that is selected. Arrows go to a picture and on; Delete takes it out. */
export function PictureTools({ editor, textId }: Props) {
  const selected = useEditorState({
    editor,
    selector: ({ editor: now }) => (now.isActive("image") ? pictureAttributes(now.getAttributes("image")) : null),
    equalityFn: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  });
  const isNested = useEditorState({
    editor,
    selector: ({ editor: now }) => now.isActive("listItem") || now.isActive("blockquote"),
  });
  const [isSending, setIsSending] = useState(false);
  if (selected) return <ThisPicture editor={editor} picture={selected} />;
  const choose = async (files: File[]) => {
    setIsSending(true);
    await insertPictures({ editor, textId }, files);
    setIsSending(false);
  };
  return (
    <FileButton accept={ACCEPTED} multiple onChange={(files) => void choose(files)}>
      {(props) => (
        <Writing.Control {...props} aria-label="Picture" title="Picture" disabled={isNested || isSending}>
          <IconPhoto {...icon} />
        </Writing.Control>
      )}
    </FileButton>
  );
}

function ThisPicture({ editor, picture }: { editor: Editor; picture: PictureAttributes }) {
  const [isOpen, setIsOpen] = useState(false);
  const change = (attrs: Partial<PictureAttributes>) => editor.commands.updateAttributes("image", attrs);
  const close = () => {
    setIsOpen(false);
    editor.commands.focus();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      onClose={close}
      position="bottom-start"
      width={320}
      trapFocus
      withRoles
    >
      <Popover.Target>
        <Writing.Control aria-label="This picture" title="This picture" active onClick={() => setIsOpen(!isOpen)}>
          <IconPhoto {...icon} />
        </Writing.Control>
      </Popover.Target>
      <Popover.Dropdown className="picture-tools" aria-label="This picture">
        <Textarea
          label="What it shows"
          description="Read out to whoever does not see it, and printed in its place where it is missing."
          autosize
          minRows={2}
          maxLength={ALT_MAX_LENGTH}
          disabled={picture.isDecorative}
          value={picture.alt}
          onChange={({ currentTarget }) => change({ alt: currentTarget.value })}
        />
        <Checkbox
          label="Decoration: nothing is read out"
          checked={picture.isDecorative}
          onChange={({ currentTarget }) => change({ isDecorative: currentTarget.checked })}
        />
        <WidthChoice widthPercent={picture.widthPercent} onChange={(widthPercent) => change({ widthPercent })} />
        <Choice
          label="Place"
          data={ALIGNMENTS}
          value={picture.align}
          onChange={(align) => change({ align: ALIGNMENTS.find(({ value }) => value === align)?.value ?? "left" })}
        />
        <div className="picture-tools-foot">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash {...icon} />}
            onClick={() => editor.chain().focus().deleteSelection().run()}
          >
            Take out
          </Button>
          <Button size="xs" onClick={close}>
            Done
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface WidthProps {
  widthPercent: number;
  onChange: (widthPercent: number) => void;
}

function WidthChoice({ widthPercent, onChange }: WidthProps) {
  const isUsual = WIDTHS.some((width) => width === widthPercent);
  const widths = isUsual ? WIDTHS : [...WIDTHS, widthPercent].toSorted((one, other) => one - other);
  return (
    <Choice
      label="Width"
      data={widths.map((width) => ({ value: String(width), label: `${width}%` }))}
      value={String(widthPercent)}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

interface ChoiceProps {
  label: string;
  data: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

const Choice = ({ label, data, value, onChange }: ChoiceProps) => (
  <fieldset className="picture-choice">
    <legend>{label}</legend>
    <SegmentedControl fullWidth size="xs" aria-label={label} data={[...data]} value={value} onChange={onChange} />
  </fieldset>
);
