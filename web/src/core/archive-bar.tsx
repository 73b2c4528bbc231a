import { Button } from "@mantine/core";
import { IconArchive, IconArchiveOff } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { messageOf } from "./errors.ts";
import { notify, notifyError } from "./notify.ts";
import { BulkBar } from "../ui/bulk-bar.tsx";

type Status = "active" | "archived";

interface Props {
  ids: readonly string[];
  status: Status;
  /** What they are, as one and as several. */
  words: readonly [string, string];
  setStatus: (ids: string[], status: Status) => Promise<{ changed: number }>;
  onClear: () => void;
  /** What else can be done with them. */
  children?: ReactNode;
}

/** Archives what is selected, or brings it back; either can be undone. */
export function ArchiveBar({ ids, status, words: [one, several], setStatus, onClear, children }: Props) {
  const [isBusy, setIsBusy] = useState(false);
  const target = status === "active" ? "archived" : "active";
  const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

  async function move() {
    setIsBusy(true);
    try {
      const { changed } = await setStatus([...ids], target);
      onClear();
      const undo = () => void setStatus([...ids], status).catch((error: unknown) => notifyError(messageOf(error)));
      const what = changed === 1 ? `1 ${one}` : `${changed} ${several}`;
      notify(`${what} ${target === "archived" ? "archived" : "brought back"}`, { label: "Undo", onAct: undo });
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <BulkBar label={`Selected ${several}`} count={ids.length} onClear={onClear}>
      {children}
      <Button
        variant="default"
        size="xs"
        loading={isBusy}
        leftSection={target === "archived" ? <IconArchive {...icon} /> : <IconArchiveOff {...icon} />}
        onClick={() => void move()}
      >
        {target === "archived" ? "Archive" : "Bring back"}
      </Button>
    </BulkBar>
  );
}
