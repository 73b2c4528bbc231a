import type { DataImport } from "@app/shared/imports";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { notify } from "../../core/notify.ts";
import { useImportSteps } from "./use-import.ts";

/** Forgets a file of which nothing is imported. */
export function DiscardButton({ data }: { data: DataImport }) {
  const steps = useImportSteps(data.id);
  const navigate = useNavigate();
  const discard = async () => {
    if (!(await steps.discard())) return;
    notify(`${data.fileName} was discarded`);
    await navigate({ to: "/account", search: { tab: "data" } });
  };
  return (
    <Button variant="default" loading={steps.isBusy} onClick={() => void discard()}>
      Discard this file
    </Button>
  );
}
