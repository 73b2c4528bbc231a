import type { StoredFile } from "@app/shared/files";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconFolderSymlink, IconTrash } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { BulkBar } from "../../ui/bulk-bar.tsx";
import { countOfFiles, useFileActions } from "./use-file-actions.ts";

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  clientId: string;
  files: readonly Pick<StoredFile, "id" | "consent">[];
  onClear: () => void;
}

/** What can be done with the files that are selected. */
export function FilesBulkBar({ clientId, files, onClear }: Props) {
  const actions = useFileActions();
  const cases = api.cases.ofClient.useQuery({ id: clientId });
  const ids = files.map(({ id }) => id);
  const what = countOfFiles(ids.length);
  const move = (caseId: string | null) => void actions.move(ids, what, { clientId, caseId }).then(onClear);
  return (
    <BulkBar label="Selected files" count={ids.length} onClear={onClear}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            loading={actions.isBusy}
            leftSection={<IconFolderSymlink {...icon} />}
            rightSection={<IconChevronDown {...icon} />}
          >
            Move
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {cases.data?.items.map(({ id, caseRef }) => (
            <Menu.Item key={id} onClick={() => move(id)}>
              To case {caseRef}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => move(null)}>To the client, outside every case</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        loading={actions.isBusy}
        leftSection={<IconTrash {...icon} />}
        onClick={() => void actions.remove(files, what).then(onClear)}
      >
        Delete
      </Button>
    </BulkBar>
  );
}
