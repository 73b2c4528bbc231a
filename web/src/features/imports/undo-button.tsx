import type { DataImport, UndoResult } from "@app/shared/imports";
import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ChangedDialog } from "./changed-dialog.tsx";
import { KIND_WORDS } from "./import-words.ts";
import { useImportSteps } from "./use-import.ts";

/** Takes an import back; asks again where some of it was changed since. */
export function UndoButton({ data }: { data: DataImport }) {
  const steps = useImportSteps(data.id);
  const [isAsking, setIsAsking] = useState(false);
  const [changed, setChanged] = useState<Extract<UndoResult, { outcome: "changed" }> | null>(null);
  const undo = async (keepsChanged: boolean) => {
    const result = await steps.undo(keepsChanged);
    setIsAsking(false);
    setChanged(result?.outcome === "changed" ? result : null);
  };
  return (
    <>
      <Button variant="default" disabled={steps.isBusy} onClick={() => setIsAsking(true)}>
        Undo this import
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Undo this import?"
        confirmLabel="Undo this import"
        onConfirm={() => void undo(false)}
        isBusy={steps.isBusy}
      >
        All {KIND_WORDS[data.kind][1]} of this import are taken back, as if it had never been. What somebody changed or
        used since is not touched: you are told of it first.
      </ConfirmDialog>
      <ChangedDialog
        result={changed}
        isBusy={steps.isBusy}
        onClose={() => setChanged(null)}
        onConfirm={() => void undo(true)}
      />
    </>
  );
}
