import type { DataImport } from "@app/shared/imports";
import { mayImport } from "@app/shared/team-access";
import { Button } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { LinkButton } from "../../ui/links.tsx";
import { Panel } from "../../ui/panel.tsx";
import { DiscardButton } from "./discard-button.tsx";
import { ImportCounts } from "./import-counts.tsx";
import { counted, KIND_WORDS } from "./import-words.ts";
import { UndoButton } from "./undo-button.tsx";
import { useImportSteps } from "./use-import.ts";

interface Props {
  data: DataImport;
  onChangeColumns: () => void;
}

/** What a check found or an import did, and the steps from here. */
export function ImportResult(props: Props) {
  const { data } = props;
  const formats = useFormats();
  return (
    <>
      <Panel title={titleOf(data, (number) => counted(number, KIND_WORDS[data.kind], formats.number(number)))}>
        {data.failure || textOf(data)}
      </Panel>
      <ImportCounts data={data} />
      <ImportActions {...props} />
    </>
  );
}

function titleOf({ status, counts }: DataImport, things: (number: number) => string): string {
  switch (status) {
    case "checked":
      return counts.ready === 0 ? "No row can be imported as it stands" : `${things(counts.ready)} can be imported`;
    case "cancelled":
      return `Stopped: ${things(counts.imported)} are imported`;
    case "failed":
      return `Failed: ${things(counts.imported)} are imported`;
    case "undone":
      return `Undone: ${things(counts.undone)} were taken back`;
    default:
      return `${things(counts.imported)} imported`;
  }
}

function textOf({ status, counts }: DataImport): string {
  const hasProblems = counts.bad + counts.duplicates > 0;
  if (status === "checked")
    return hasProblems
      ? "Nothing is stored yet. Rows that are listed below are left out. Import the rest now and these later, or mend the file and choose it again."
      : "Nothing is stored yet.";
  if (status === "cancelled") return "Go on where it stopped, or take back what was imported.";
  if (status === "undone")
    return counts.kept > 0
      ? "Everything else is as it was before. What could not be undone is listed below and was kept."
      : "Everything is as it was before. The file is still here and can be checked again.";
  return hasProblems
    ? "Rows that are listed below were left out. Download those rows, mend them and import that file."
    : "Every row is accounted for.";
}

function ImportActions({ data, onChangeColumns }: Props) {
  const steps = useImportSteps(data.id);
  const may = mayImport(useCurrentUser(), data.kind);
  const { status, counts } = data;
  const isStopped = status === "cancelled" || status === "failed";
  const canStart = may && ((status === "checked" && counts.ready > 0) || isStopped);
  const isWaiting = status === "checked" || status === "undone";
  const canUndo = may && (status === "imported" || isStopped) && counts.imported > 0;
  return (
    <div className="import-actions">
      {canStart && (
        <Button loading={steps.isBusy} onClick={() => void steps.start()}>
          {status === "checked" ? "Import now" : "Go on"}
        </Button>
      )}
      {status === "imported" && counts.imported > 0 && (
        <LinkButton to={LISTS[data.kind].to}>{LISTS[data.kind].label}</LinkButton>
      )}
      {may && isWaiting && (
        <Button variant="default" disabled={steps.isBusy} onClick={onChangeColumns}>
          Change columns
        </Button>
      )}
      {isWaiting && <DiscardButton data={data} />}
      {canUndo && <UndoButton data={data} />}
    </div>
  );
}

const LISTS = {
  clients: { to: "/clients", label: "Open clients" },
  contacts: { to: "/contacts", label: "Open contacts" },
  cases: { to: "/dashboard", label: "Open the dashboard" },
  meetings: { to: "/calendar", label: "Open the calendar" },
} as const;
