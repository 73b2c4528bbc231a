import { Button, FileInput } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { LeftOut } from "./left-out.tsx";
import { sendWord } from "./send-word.ts";
import type { SavedText } from "./use-saved-text.ts";

interface Props {
  textId: string;
  saved: SavedText;
  what: "template" | "document";
  onClose: () => void;
}

/** Puts a Word document in the place of what is written; that is kept as a version. */
export function WordDialog({ textId, saved, what, onClose }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [failure, setFailure] = useState("");
  const [left, setLeft] = useState<readonly string[] | null>(null);
  const replace = async () => {
    if (!file) return setFailure("Choose a Word document first.");
    setIsReading(true);
    setFailure("");
    try {
      const read = await sendWord(textId, file);
      saved.restore(read.content);
      if (read.left.length === 0) onClose();
      else setLeft(read.left);
    } catch (error) {
      // Why it was not taken stands in it, whoever refused it.
      setFailure(error instanceof Error ? error.message : "This document was not taken. Try again.");
    } finally {
      setIsReading(false);
    }
  };
  if (left)
    return (
      <Dialog isOpen onClose={onClose} title="Taken over from Word" footer={<Button onClick={onClose}>Close</Button>}>
        <LeftOut left={left} />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Replace with a Word document"
      isDirty={file !== null}
      footer={
        <>
          <BackButton />
          <Button loading={isReading} onClick={() => void replace()}>
            Replace the text
          </Button>
        </>
      }
    >
      <p>
        Its words, headings, lists, tables and pictures take the place of all that this {what} says now. That stays
        among its versions, and can be brought back.
      </p>
      <FileInput
        mt="md"
        label="Word document (.docx)"
        placeholder="Choose a file"
        accept=".docx"
        value={file}
        error={failure || undefined}
        onChange={(chosen) => {
          setFailure("");
          setFile(chosen);
        }}
      />
    </Dialog>
  );
}
