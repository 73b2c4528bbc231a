import { Button, Checkbox } from "@mantine/core";
import { IconArchive, IconArchiveOff } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";

interface Props {
  ids: readonly string[];
  status: "active" | "archived";
  onClear: () => void;
}

const people = (count: number) => (count === 1 ? "1 client" : `${count} clients`);

/** Stands in for the filter bar while rows are selected. */
export function ClientsBulkBar({ ids, status, onClear }: Props) {
  const utils = api.useUtils();
  const setStatus = api.clients.setStatus.useMutation({ onSettled: () => utils.clients.list.invalidate() });
  const target = status === "active" ? "archived" : "active";

  async function move() {
    try {
      const { changed } = await setStatus.mutateAsync({ ids: [...ids], status: target });
      onClear();
      const undo = () =>
        void setStatus.mutateAsync({ ids: [...ids], status }).catch((error: unknown) => notifyError(messageOf(error)));
      notify(target === "archived" ? `${people(changed)} archived` : `${people(changed)} brought back`, {
        label: "Undo",
        onAct: undo,
      });
    } catch (error) {
      notifyError(messageOf(error));
    }
  }

  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected clients">
      <Checkbox checked indeterminate aria-label="Select none" onChange={onClear} />
      <strong>{ids.length} selected</strong>
      <Button
        variant="default"
        size="xs"
        loading={setStatus.isPending}
        leftSection={
          target === "archived" ? <IconArchive size={14} stroke={1.7} /> : <IconArchiveOff size={14} stroke={1.7} />
        }
        onClick={() => void move()}
      >
        {target === "archived" ? "Archive" : "Bring back"}
      </Button>
      <Button variant="subtle" size="xs" className="bulk-bar-end" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
