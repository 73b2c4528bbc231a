import { Button, Menu } from "@mantine/core";
import { IconFileTypeDocx, IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { takeFile } from "../../core/download.ts";
import { later } from "../../ui/later.tsx";
import type { SavedText } from "./use-saved-text.ts";

const WordDialog = later(async () => (await import("./word-dialog.tsx")).WordDialog);

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  textId: string;
  saved: SavedText;
  what: "template" | "document";
}

/** Takes the text to Word, or a Word document in its place. */
export function WordMenu({ textId, saved, what }: Props) {
  const [isTaking, setIsTaking] = useState(false);
  const isUnsaved = saved.newer.isDirty || saved.newer.isSaving;
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconFileTypeDocx {...icon} />}>
            Word
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconFileTypeDocx {...icon} />}
            disabled={isUnsaved}
            onClick={() => void takeFile(`/export/documents/${textId}.docx`)}
          >
            Word (.docx)
          </Menu.Item>
          <Menu.Item leftSection={<IconFileUpload {...icon} />} onClick={() => setIsTaking(true)}>
            Replace with a Word document
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isTaking && <WordDialog textId={textId} saved={saved} what={what} onClose={() => setIsTaking(false)} />}
    </>
  );
}
