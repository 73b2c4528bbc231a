import { isShownInline, sizeText, type StoredFile } from "@app/shared/files";
import { mustConsent } from "@app/shared/visibility";
import { Anchor, Button, Checkbox, Menu } from "@mantine/core";
import {
  IconDots,
  IconDownload,
  IconEye,
  IconFile,
  IconFileText,
  IconPencil,
  IconPhoto,
  IconShare,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { Readers } from "../visibility/readers.tsx";
import type { NamedParty } from "../visibility/visibility-words.ts";
import { EditFileDialog } from "./edit-file-dialog.tsx";
import { ReleaseFileDialog } from "./release-file-dialog.tsx";
import { FilePreviewDialog } from "./file-preview-dialog.tsx";
import { useFileActions } from "./use-file-actions.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  file: StoredFile;
  parties: readonly NamedParty[];
  /** The case that these parties are of. */
  caseId: string | null;
  mayChange: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

export function FileRow({ file, parties, caseId, mayChange, isChosen, onChoose }: Props) {
  const formats = useFormats();
  const actions = useFileActions();
  const [dialog, setDialog] = useState<"edit" | "preview" | "release" | null>(null);
  const { id, name, mime, sizeBytes, tags, visibility, createdAt, createdByName } = file;
  const Icon = mime.startsWith("image/") ? IconPhoto : mime === "application/pdf" ? IconFileText : IconFile;
  const close = () => setDialog(null);
  const mayRelease = caseId !== null && file.caseId === caseId && visibility.scope !== "shared";
  return (
    <li>
      {mayChange && (
        <Checkbox
          checked={isChosen}
          aria-label={`Select ${name}`}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      )}
      <Icon {...icon} />
      {isShownInline(mime) ? (
        <Anchor component="button" type="button" className="file-name" onClick={() => setDialog("preview")}>
          {name}
        </Anchor>
      ) : (
        <Anchor href={`/files/${id}`} download className="file-name">
          {name}
        </Anchor>
      )}
      <span className="file-tags">
        {file.consent && <Chip>Released with consent</Chip>}
        {tags.map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
      </span>
      <Readers visibility={visibility} parties={parties} />
      <span className="file-size tabular">{sizeText(sizeBytes)}</span>
      <span className="file-added">
        {formats.day(createdAt)}, {createdByName}
      </span>
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="subtle" aria-label={`More about ${name}`}>
            <IconDots {...icon} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isShownInline(mime) && (
            <Menu.Item leftSection={<IconEye {...icon} />} onClick={() => setDialog("preview")}>
              Look at it
            </Menu.Item>
          )}
          <Menu.Item component="a" href={`/files/${id}`} download leftSection={<IconDownload {...icon} />}>
            Download
          </Menu.Item>
          {mayChange && (
            <>
              <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setDialog("edit")}>
                Rename, tag, fewer readers
              </Menu.Item>
              {mayRelease && (
                <Menu.Item leftSection={<IconShare {...icon} />} onClick={() => setDialog("release")}>
                  {mustConsent(visibility).length > 0 ? "Release with consent" : "Share with parties"}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => void actions.remove([id], name)}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === "edit" && <EditFileDialog file={file} parties={parties} onClose={close} />}
      {dialog === "release" && <ReleaseFileDialog file={file} parties={parties} onClose={close} />}
      {dialog === "preview" && <FilePreviewDialog file={file} onClose={close} />}
    </li>
  );
}
