import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { whyNotHeld } from "@app/shared/confidences";
import { type FileMark, NO_MARK, type StoredFile } from "@app/shared/files";
import { PRIVILEGE_NAMES, PRIVILEGES } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { Button, Checkbox, FileButton, Group, NativeSelect, TextInput } from "@mantine/core";
import { IconFile, IconUpload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { FilePages } from "./file-pages.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { DropZone } from "./drop-zone.tsx";
import { MarkPicker, OUR_OWN } from "./mark-picker.tsx";
import { FilesBulkBar } from "./files-bulk-bar.tsx";
import { FileRow } from "./file-row.tsx";
import { UploadList } from "./upload-list.tsx";
import { useClientFiles } from "./use-client-files.ts";
import { useUploads } from "./use-uploads.ts";
import "./files.css";

interface Props {
  clientId: string;
  theCase: Case | null;
  page: number;
  onPage: (page: number) => void;
  /** Sends a PDF out to be signed. */
  onSign: (file: StoredFile) => void;
  /** Mails a file to this client; null where this person sends no mail. */
  onMail: ((file: StoredFile) => void) | null;
}

/** The files of a client and of their cases: who can read each, and what can be done with it. */
export function ClientFilesTab({ clientId, theCase, page, onPage, onSign, onMail }: Props) {
  const user = useCurrentUser();
  const files = useClientFiles({ clientId, page, onPage });
  const asNew = useNewFiles(theCase, theCase !== null && answersFor(user, theCase.mediators));
  const [chosenIds, setChosenIds] = useState<string[]>([]);
  const uploading = useUploads();
  const mayChange = can(user, "documents.manage");
  const take = (chosen: readonly File[]) => {
    const { mark, isOurOwn } = asNew;
    const visibility = isOurOwn ? { ...asNew.visibility, aboutPartyIds: [] } : asNew.visibility;
    uploading.add(chosen, { clientId, caseId: theCase?.id ?? null, visibility, mark, isOurOwn });
  };
  const turnTo = (next: number) => {
    setChosenIds([]);
    onPage(next);
  };
  return (
    <Section title="Files" count={files.query.data?.total || undefined}>
      <DropZone isEnabled={mayChange} onFiles={take}>
        <FilesFilter files={files} />
        {mayChange && (
          <NewFiles onFiles={take}>
            <VisibilityPicker
              parties={namesOfParties(theCase)}
              value={asNew.visibility}
              onChange={asNew.setVisibility}
              label="New files can be read by"
              mayHold={asNew.mayHold}
            />
            <MarkPicker label="New files are marked as" value={asNew.mark} onChange={asNew.chooseMark} />
            {asNew.mayBeOurOwn && (
              <Checkbox
                label={OUR_OWN}
                checked={asNew.isOurOwn}
                onChange={({ currentTarget }) => asNew.setIsOurOwn(currentTarget.checked)}
              />
            )}
          </NewFiles>
        )}
        <UploadList uploads={uploading.uploads} onStop={(id) => uploading.stop(id)} onClear={uploading.clear} />
        <FilePages files={files} empty={<NoFiles isSearch={files.isSearch} />} page={page} onPage={turnTo}>
          {(items) => (
            <>
              {items.some(({ id }) => chosenIds.includes(id)) && (
                <FilesBulkBar
                  clientId={clientId}
                  files={items.filter(({ id }) => chosenIds.includes(id))}
                  onClear={() => setChosenIds([])}
                />
              )}
              <FileList
                items={items}
                theCase={theCase}
                mayChange={mayChange}
                chosenIds={chosenIds}
                onChoose={setChosenIds}
                onSign={onSign}
                onMail={onMail}
              />
            </>
          )}
        </FilePages>
      </DropZone>
    </Section>
  );
}

/** Who will read new files, and what they are marked as. */
function useNewFiles(theCase: Case | null, mayAnswer: boolean) {
  const [visibility, setVisibility] = useState<Visibility>(PRACTICE_ONLY);
  const [mark, setMark] = useState<FileMark>(NO_MARK);
  const [isChecked, setIsOurOwn] = useState(false);
  // Of what nobody but the practice reads it says nothing.
  const isForParties = visibility.scope === "party" || visibility.scope === "shared";
  const mayBeOurOwn = mayAnswer && isForParties && !mark.isFinancial;
  const holds = (one: FileMark, wanted: Visibility) =>
    !theCase || whyNotHeld(theCase, wanted, one.isFinancial) === null;
  function chooseMark(wanted: FileMark) {
    setMark(wanted);
    if (!holds(wanted, visibility)) setVisibility(PRACTICE_ONLY);
  }
  const mayHold = (wanted: Visibility) => holds(mark, wanted);
  const isOurOwn = mayBeOurOwn && isChecked;
  return { visibility, setVisibility, mark, chooseMark, mayHold, mayBeOurOwn, isOurOwn, setIsOurOwn };
}

function FilesFilter({ files }: { files: ReturnType<typeof useClientFiles> }) {
  return (
    <Group gap="sm" align="flex-end" py="sm">
      <TextInput label="Search" placeholder="Part of the name" {...files.field} />
      <NativeSelect
        label="Marked as"
        value={files.privilege}
        data={[
          { value: "", label: "All files" },
          ...PRIVILEGES.map((value) => ({ value, label: PRIVILEGE_NAMES[value] })),
        ]}
        onChange={({ currentTarget }) => files.onMark(currentTarget.value)}
      />
    </Group>
  );
}

interface NewFilesProps {
  children: ReactNode;
  onFiles: (files: readonly File[]) => void;
}

/** Adds files; who will read them, and what they are marked as, is chosen before. */
function NewFiles({ children, onFiles }: NewFilesProps) {
  return (
    <Group gap="sm" align="flex-end" pb="sm" className="new-files">
      {children}
      <FileButton multiple onChange={onFiles}>
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={14} stroke={1.7} aria-hidden />}>
            Upload files
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

function NoFiles({ isSearch }: { isSearch: boolean }) {
  return (
    <EmptyState order={3} icon={<IconFile size={24} stroke={1.7} />} title={isSearch ? "No such file" : "No files yet"}>
      {isSearch
        ? "Try the beginning of another word of its name, or another mark."
        : "Keep what this client sends you, and your own files about them, here. Drop files anywhere in this tab, or choose them."}
    </EmptyState>
  );
}

interface ListProps {
  items: readonly StoredFile[];
  theCase: Case | null;
  mayChange: boolean;
  chosenIds: readonly string[];
  onChoose: (ids: string[]) => void;
  onSign: (file: StoredFile) => void;
  onMail: Props["onMail"];
}

function FileList({ items, theCase, mayChange, chosenIds, onChoose, onSign, onMail }: ListProps) {
  return (
    <ul className="files">
      {items.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          theCase={theCase}
          mayChange={mayChange}
          isChosen={chosenIds.includes(file.id)}
          onSign={onSign}
          onMail={onMail}
          onChoose={(isChosen) =>
            onChoose(isChosen ? [...chosenIds, file.id] : chosenIds.filter((chosenId) => chosenId !== file.id))
          }
        />
      ))}
    </ul>
  );
}
