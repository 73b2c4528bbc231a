import type { Case } from "@app/shared/cases";
import { releasersOf, sharersOf } from "@app/shared/file-releases";
import { isShownInline, NO_MARK, sizeText, type StoredFile } from "@app/shared/files";
import { Anchor, Checkbox } from "@mantine/core";
import { IconFile, IconFileText, IconPhoto } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { Readers } from "../visibility/readers.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { markName } from "./mark-picker.tsx";
import { EditFileDialog } from "./edit-file-dialog.tsx";
import { type FileDialogName, FileMenu } from "./file-menu.tsx";
import { ReleaseFileDialog } from "./release-file-dialog.tsx";
import { FilePreviewDialog } from "./file-preview-dialog.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  file: StoredFile;
  /** The case that is looked at. */
  theCase: Case | null;
  mayChange: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onSign: (file: StoredFile) => void;
  onMail: ((file: StoredFile) => void) | null;
}

export function FileRow({ file, theCase, mayChange, isChosen, onChoose, onSign, onMail }: Props) {
  const formats = useFormats();
  const [dialog, setDialog] = useState<FileDialogName | null>(null);
  const { name, mime, sizeBytes, tags, mark, visibility, createdAt, createdByName } = file;
  const Icon = mime.startsWith("image/") ? IconPhoto : mime === "application/pdf" ? IconFileText : IconFile;
  const parties = namesOfParties(theCase);
  const close = () => setDialog(null);
  const isHere = theCase !== null && file.caseId === theCase.id;
  const isConsented = isHere && (releasersOf(theCase, file).length > 0 || sharersOf(theCase, file).length > 0);
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
      <FileName file={file} onPreview={() => setDialog("preview")} />
      <span className="file-tags">
        {mark.privilege !== NO_MARK.privilege && <Chip>{markName(mark)}</Chip>}
        {file.isOurOwn && <Chip>Our own</Chip>}
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
      <FileMenu
        file={file}
        mayChange={mayChange}
        mayRelease={isConsented || (isHere && visibility.scope !== "shared")}
        isConsented={isConsented}
        onOpen={setDialog}
        onMail={onMail && isForParties(visibility) ? () => onMail(file) : null}
        onSign={isHere && mime === "application/pdf" && isForParties(visibility) ? () => onSign(file) : null}
      />
      {dialog === "edit" && <EditFileDialog file={file} theCase={theCase} onClose={close} />}
      {dialog === "release" && <ReleaseFileDialog file={file} theCase={theCase} onClose={close} />}
      {dialog === "preview" && <FilePreviewDialog file={file} onClose={close} />}
    </li>
  );
}

const isForParties = ({ scope }: StoredFile["visibility"]): boolean => scope === "party" || scope === "shared";

/** What a browser shows opens here; the rest is downloaded. */
function FileName({ file: { id, name, mime }, onPreview }: { file: StoredFile; onPreview: () => void }) {
  return isShownInline(mime) ? (
    <Anchor component="button" type="button" className="file-name" onClick={onPreview}>
      {name}
    </Anchor>
  ) : (
    <Anchor href={`/files/${id}`} download className="file-name">
      {name}
    </Anchor>
  );
}
