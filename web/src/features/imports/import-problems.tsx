import { isRunning } from "@app/shared/import-states";
import { type DataImport, type ImportProblem } from "@app/shared/imports";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { downloadOf } from "../../core/download.ts";
import { api } from "../../core/api.ts";
import { listFailure } from "../../core/list-failure.ts";
import type { Column } from "../../ui/data-table.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";

const POLL_MS = 2000;
const RESULTS = { bad: "Left out", duplicate: "Duplicate", kept: "Kept", note: "Note" } as const;

const COLUMNS: Column<ImportProblem>[] = [
  { key: "row", header: "Row", width: 80, isTabular: true, cell: ({ row }) => row },
  { key: "kind", header: "Result", width: 100, cell: ({ kind }) => RESULTS[kind] },
  { key: "column", header: "Column", width: 150, cell: ({ column }) => column },
  { key: "value", header: "Cell", width: 180, cell: ({ value }) => <span className="import-sample">{value}</span> },
  {
    key: "message",
    header: "What is wrong and what to do",
    cell: ({ message }) => <span className="import-message">{message}</span>,
  },
];

/** Every row that was not simply imported, and why. */
export function ImportProblems({ data, page }: { data: DataImport; page: number }) {
  const navigate = useNavigate();
  const list = api.imports.listProblems.useQuery(
    { id: data.id, page },
    { placeholderData: keepPreviousData, refetchInterval: isRunning(data.status) ? POLL_MS : false },
  );
  const hasSome = (list.data?.items.length ?? 0) > 0;
  return (
    <Section title="Report" order={3}>
      {hasSome && !isRunning(data.status) && <Downloads id={data.id} />}
      <PagedTable
        label="Rows with something to tell"
        columns={COLUMNS}
        list={list.data}
        page={page}
        words={["entry", "entries"]}
        onPage={(next) => void navigate({ to: "/account", search: { tab: "data", import: data.id, page: next } })}
        rowKey={({ row, column, message }) => `${row} ${column} ${message}`}
        rowName={({ row }) => `row ${row}`}
        failure={listFailure(list)}
        empty={
          <p className="quiet-text">
            {isRunning(data.status) ? "Nothing to tell so far." : "There is nothing to tell of any row."}
          </p>
        }
        phoneRow={({ row, kind, column, value, message }) => (
          <div className="import-problem">
            <div>
              Row {row}
              {column && `, ${column}`}: {RESULTS[kind].toLowerCase()}
            </div>
            {value && <div className="import-sample">{value}</div>}
            <div className="quiet-text">{message}</div>
          </div>
        )}
      />
    </Section>
  );
}

const Downloads = ({ id }: { id: string }) => (
  <div className="import-actions">
    <Download href={`/export/imports/${id}.csv`}>Download this report</Download>
    <Download href={`/export/imports/${id}/rows.csv`}>Download the rows left out</Download>
  </div>
);

const Download = ({ href, children }: { href: string; children: string }) => (
  <Button {...downloadOf(href)} variant="default" leftSection={<IconDownload size={16} stroke={1.7} />}>
    {children}
  </Button>
);
