import type { Note } from "@app/shared/notes";
import type { RichText } from "@app/shared/rich-text";
import { Button, SimpleGrid } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { RichTextView } from "../../ui/rich-text-view.tsx";
import { Section } from "../../ui/section.tsx";

interface Props {
  current: Note;
  mine: RichText;
  /** The text to go on with; null keeps what is saved. */
  onChoose: (body: RichText | null) => void;
}

const bothOf = (theirs: RichText, mine: RichText): RichText => ({
  type: "doc",
  content: [...(theirs.content ?? []), { type: "horizontalRule" }, ...(mine.content ?? [])],
});

/** Two people wrote in the same note: both texts are shown, and nothing is chosen for anybody. */
export function NewerNoteDialog({ current, mine, onChoose }: Props) {
  const formats = useFormats();
  const keepBoth = () => onChoose(bothOf(current.body, mine));
  const footer = (
    <>
      <Button variant="subtle" data-left onClick={() => onChoose(null)}>
        Keep only {current.updatedByName}’s
      </Button>
      <Button variant="default" onClick={() => onChoose(mine)}>
        Keep only mine
      </Button>
      <Button onClick={keepBoth}>Keep both, one after the other</Button>
    </>
  );
  return (
    <Dialog isOpen onClose={keepBoth} title="Someone else changed this note" size="wide" footer={footer}>
      <p className="newer-note-intro">
        {current.updatedByName} saved at {formats.time(current.updatedAt)}, while you were writing. Choose what is kept;
        copy from here whatever else you need.
      </p>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Section title={`${current.updatedByName}’s, saved ${formats.time(current.updatedAt)}`} order={3}>
          <div className="newer-note-text">
            <RichTextView doc={current.body} />
          </div>
        </Section>
        <Section title="Yours, not yet saved" order={3}>
          <div className="newer-note-text">
            <RichTextView doc={mine} />
          </div>
        </Section>
      </SimpleGrid>
    </Dialog>
  );
}
