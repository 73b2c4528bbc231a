import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { PAGE_SIZE } from "@app/shared/product";
import { PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { Button, FileButton, Group, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { IconFile, IconUpload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import { DropZone } from "./drop-zone.tsx";
import { FilesBulkBar } from "./files-bulk-bar.tsx";
import { FileRow } from "./file-row.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";
import "./files.css";

const DELAY_MS = 200;

interface Props {
  clientId: string;
  theCase: Case | null;
  page: number;
  onPage: (page: number) => void;
}

/** The files of a client and of their cases: who can read each, and what can be done with it. */
export function ClientFilesTab({ clientId, theCase, page, onPage }: Props) {
  const user = useCurrentUser();
  const [search, setSearch] = useState("");
  const [wanted] = useDebouncedValue(search.trim(), DELAY_MS);
  const [visibility, setVisibility] = useState<Visibility>(PRACTICE_ONLY);
  const [chosenIds, setChosenIds] = useState<string[]>([]);
  const uploading = useUploads();
  const files = api.files.list.useQuery({ clientId, page, search: wanted }, { placeholderData: keepPreviousData });
  const mayChange = can(user, "documents.manage");
  const parties = theCase?.parties ?? [];
  const take = (chosen: readonly File[]) =>
    uploading.add(chosen, { clientId, caseId: theCase?.id ?? null, visibility });
  return (
    <Section title="Files" count={files.data?.total || undefined}>
      <DropZone isEnabled={mayChange} onFiles={take}>
        <Group gap="sm" align="flex-end" py="sm">
          <TextInput
            label="Search"
            placeholder="Part of the name"
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              onPage(1);
            }}
          />
          {mayChange && (
            <>
              <VisibilityPicker
                parties={parties}
                value={visibility}
                onChange={setVisibility}
                label="New files can be read by"
              />
              <FileButton multiple onChange={take}>
                {(props) => (
                  <Button {...props} leftSection={<IconUpload size={14} stroke={1.7} aria-hidden />}>
                    Upload files
                  </Button>
                )}
              </FileButton>
            </>
          )}
        </Group>
        <UploadList uploads={uploading.uploads} onStop={(id) => uploading.stop(id)} onClear={uploading.clear} />
        <Loaded query={files} failureTitle="The files could not be read">
          {({ items, total, isTotalExact }) =>
            items.length === 0 ? (
              <EmptyState
                order={3}
                icon={<IconFile size={24} stroke={1.7} />}
                title={wanted ? "No file is called so" : "No files yet"}
              >
                {wanted
                  ? "Try the beginning of another word of its name."
                  : "What this client sends and what you keep for them stands here. Drop files anywhere in this tab, or choose them."}
              </EmptyState>
            ) : (
              <>
                {chosenIds.length > 0 && (
                  <FilesBulkBar clientId={clientId} ids={chosenIds} onClear={() => setChosenIds([])} />
                )}
                <ul className="files">
                  {items.map((file) => (
                    <FileRow
                      key={file.id}
                      file={file}
                      parties={parties}
                      caseId={theCase?.id ?? null}
                      mayChange={mayChange}
                      isChosen={chosenIds.includes(file.id)}
                      onChoose={(isChosen) =>
                        setChosenIds(
                          isChosen ? [...chosenIds, file.id] : chosenIds.filter((chosenId) => chosenId !== file.id),
                        )
                      }
                    />
                  ))}
                </ul>
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={total}
                  isTotalExact={isTotalExact}
                  words={["file", "files"]}
                  onPage={(next) => {
                    setChosenIds([]);
                    onPage(next);
                  }}
                />
              </>
            )
          }
        </Loaded>
      </DropZone>
    </Section>
  );
}
