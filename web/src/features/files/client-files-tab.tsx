import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { StoredFile } from "@app/shared/files";
import { PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { Button, FileButton, Group, TextInput } from "@mantine/core";
import { IconFile, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { FilePages } from "./file-pages.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import type { NamedParty } from "../visibility/visibility-words.ts";
import { DropZone } from "./drop-zone.tsx";
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
}

/** The files of a client and of their cases: who can read each, and what can be done with it. */
export function ClientFilesTab({ clientId, theCase, page, onPage }: Props) {
  const user = useCurrentUser();
  const files = useClientFiles({ clientId, page, onPage });
  const [visibility, setVisibility] = useState<Visibility>(PRACTICE_ONLY);
  const [chosenIds, setChosenIds] = useState<string[]>([]);
  const uploading = useUploads();
  const mayChange = can(user, "documents.manage");
  const parties = theCase?.parties ?? [];
  const take = (chosen: readonly File[]) =>
    uploading.add(chosen, { clientId, caseId: theCase?.id ?? null, visibility });
  const turnTo = (next: number) => {
    setChosenIds([]);
    onPage(next);
  };
  return (
    <Section title="Files" count={files.query.data?.total || undefined}>
      <DropZone isEnabled={mayChange} onFiles={take}>
        <Group gap="sm" align="flex-end" py="sm">
          <TextInput label="Search" placeholder="Part of the name" {...files.field} />
          {mayChange && <NewFiles parties={parties} visibility={visibility} onReaders={setVisibility} onFiles={take} />}
        </Group>
        <UploadList uploads={uploading.uploads} onStop={(id) => uploading.stop(id)} onClear={uploading.clear} />
        <FilePages files={files} empty={<NoFiles isSearch={files.isSearch} />} page={page} onPage={turnTo}>
          {(items) => (
            <>
              {chosenIds.length > 0 && (
                <FilesBulkBar clientId={clientId} ids={chosenIds} onClear={() => setChosenIds([])} />
              )}
              <FileList
                items={items}
                theCase={theCase}
                mayChange={mayChange}
                chosenIds={chosenIds}
                onChoose={setChosenIds}
              />
            </>
          )}
        </FilePages>
      </DropZone>
    </Section>
  );
}

interface NewFilesProps {
  parties: readonly NamedParty[];
  visibility: Visibility;
  onReaders: (visibility: Visibility) => void;
  onFiles: (files: readonly File[]) => void;
}

/** Adds files; who will read them is chosen before. */
function NewFiles({ parties, visibility, onReaders, onFiles }: NewFilesProps) {
  return (
    <>
      <VisibilityPicker parties={parties} value={visibility} onChange={onReaders} label="New files can be read by" />
      <FileButton multiple onChange={onFiles}>
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={14} stroke={1.7} aria-hidden />}>
            Upload files
          </Button>
        )}
      </FileButton>
    </>
  );
}

function NoFiles({ isSearch }: { isSearch: boolean }) {
  return (
    <EmptyState
      order={3}
      icon={<IconFile size={24} stroke={1.7} />}
      title={isSearch ? "No file is called so" : "No files yet"}
    >
      {isSearch
        ? "Try the beginning of another word of its name."
        : "What this client sends and what you keep for them stands here. Drop files anywhere in this tab, or choose them."}
    </EmptyState>
  );
}

interface ListProps {
  items: readonly StoredFile[];
  theCase: Case | null;
  mayChange: boolean;
  chosenIds: readonly string[];
  onChoose: (ids: string[]) => void;
}

function FileList({ items, theCase, mayChange, chosenIds, onChoose }: ListProps) {
  return (
    <ul className="files">
      {items.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          parties={theCase?.parties ?? []}
          caseId={theCase?.id ?? null}
          mayChange={mayChange}
          isChosen={chosenIds.includes(file.id)}
          onChoose={(isChosen) =>
            onChoose(isChosen ? [...chosenIds, file.id] : chosenIds.filter((chosenId) => chosenId !== file.id))
          }
        />
      ))}
    </ul>
  );
}
