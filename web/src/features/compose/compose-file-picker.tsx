import { sizeText, type StoredFile } from "@app/shared/files";
import type { MailDraft, MailStart } from "@app/shared/mail-check";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { FilePages } from "../files/file-pages.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useClientFiles } from "../files/use-client-files.ts";
import { Readers } from "../visibility/readers.tsx";
import { wordsOf } from "../visibility/visibility-words.ts";

interface Props {
  draft: MailDraft;
  start: MailStart;
  onClose: () => void;
  onDone: (fileIds: string[]) => void;
}

/** The client's files, with who may read each; what this client may not read cannot be chosen. */
export function ComposeFilePicker({ draft, start, onClose, onDone }: Props) {
  const [page, setPage] = useState(1);
  const files = useClientFiles({ clientId: draft.clientId, page, onPage: setPage });
  const [chosen, setChosen] = useState(draft.fileIds);
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Attach files"
      size="form"
      footer={
        <>
          <BackButton />
          <Button onClick={() => onDone(chosen)}>
            {chosen.length === 0 ? "Attach none" : `Attach ${chosen.length}`}
          </Button>
        </>
      }
    >
      <TextInput label="Search the files of this client" {...files.field} />
      <FilePages files={files} empty={<NoFiles isSearch={files.isSearch} />} page={page} onPage={setPage}>
        {(items) => <PickerLines items={items} draft={draft} start={start} chosen={chosen} onToggle={toggle} />}
      </FilePages>
    </Dialog>
  );
}

function NoFiles({ isSearch }: { isSearch: boolean }) {
  return (
    <EmptyState order={3} title={isSearch ? "No file has this name" : "No files yet"}>
      {isSearch ? "Search for the beginning of a word of its name." : "Add files on the client’s Files tab first."}
    </EmptyState>
  );
}

interface LinesProps extends Pick<Props, "draft" | "start"> {
  items: readonly StoredFile[];
  chosen: readonly string[];
  onToggle: (id: string) => void;
}

function PickerLines({ items, draft, start, chosen, onToggle }: LinesProps) {
  const { clientId, caseId } = draft;
  const sendable = api.compose.sendableFiles.useQuery(
    { clientId, caseId, fileIds: items.map(({ id }) => id) },
    { placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={sendable} failureTitle="Which of these files may go could not be read">
      {({ fileIds }) => (
        <ul className="compose-picker">
          {items.map((file) => (
            <PickerLine
              key={file.id}
              file={file}
              draft={draft}
              start={start}
              maySend={fileIds.includes(file.id)}
              isChosen={chosen.includes(file.id)}
              onToggle={() => onToggle(file.id)}
            />
          ))}
        </ul>
      )}
    </Loaded>
  );
}

interface LineProps extends Pick<Props, "draft" | "start"> {
  file: StoredFile;
  maySend: boolean;
  isChosen: boolean;
  onToggle: () => void;
}

function PickerLine({ file, draft, start: { parties }, maySend, isChosen, onToggle }: LineProps) {
  const isFromHere = file.caseId === null || file.caseId === draft.caseId;
  const why = isFromHere ? wordsOf(file.visibility, parties).who : "Of another case";
  return (
    <li>
      <Checkbox
        checked={isChosen}
        disabled={!isChosen && !maySend}
        label={file.name}
        description={
          <>
            {isFromHere && <Readers visibility={file.visibility} parties={parties} />} {why}, {sizeText(file.sizeBytes)}
          </>
        }
        onChange={onToggle}
      />
    </li>
  );
}
