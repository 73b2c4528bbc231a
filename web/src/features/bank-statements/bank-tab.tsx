import { BANK_LINE_STATE_NAMES, STATEMENT_FORMAT_NAMES } from "@app/shared/bank-columns";
import type { BankStatement } from "@app/shared/bank-statements";
import { IconBuildingBank } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import type { Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";
import type { BankSearch } from "./bank-search.ts";
import { NewStatement } from "./new-statement.tsx";
import { StatementView } from "./statement-view.tsx";
import "./bank-statements.css";

/** What came into the bank account: the statements that were imported, or the one that is open. */
export function BankTab({ search }: { search: BankSearch }) {
  if (search.statement !== undefined) return <StatementView key={search.statement} search={search} />;
  return (
    <>
      <NewStatement />
      <Statements page={search.page ?? 1} />
    </>
  );
}

const openOf = ({ id }: BankStatement) => ({ tab: "bank", statement: id }) as const;

const FileLink = ({ row }: { row: BankStatement }) => (
  <TextLink to="/payment-settings" search={openOf(row)}>
    {row.fileName}
  </TextLink>
);

const columnsOf = (formats: ReturnType<typeof useFormats>): Column<BankStatement>[] => [
  { key: "file", header: "File", cell: (row) => <FileLink row={row} /> },
  { key: "format", header: "Kind", width: 100, cell: ({ format }) => STATEMENT_FORMAT_NAMES[format] },
  {
    key: "open",
    header: BANK_LINE_STATE_NAMES.open,
    width: 100,
    align: "right",
    isTabular: true,
    cell: ({ counts }) => formats.number(counts.open),
  },
  {
    key: "recorded",
    header: "Recorded",
    width: 100,
    align: "right",
    isTabular: true,
    cell: ({ counts }) => formats.number(counts.recorded),
  },
  {
    key: "at",
    header: "Imported",
    width: 190,
    isTabular: true,
    cell: ({ importedAt }) => formats.dateTime(importedAt),
  },
  { key: "by", header: "By", width: 160, cell: ({ importedByName }) => importedByName },
];

function Statements({ page }: { page: number }) {
  const navigate = useNavigate();
  const formats = useFormats();
  const list = api.bankStatements.list.useQuery({ page }, { placeholderData: keepPreviousData });
  return (
    <Section title="Imported statements">
      <PagedTable
        label="Bank statements"
        columns={columnsOf(formats)}
        list={list.data}
        page={page}
        words={["statement", "statements"]}
        onPage={(next) => void navigate({ to: "/payment-settings", search: { tab: "bank", page: next } })}
        rowKey={({ id }) => id}
        rowName={({ fileName }) => fileName}
        onOpen={(row) => void navigate({ to: "/payment-settings", search: openOf(row) })}
        failure={listFailure(list)}
        empty={
          <EmptyState icon={<IconBuildingBank size={24} stroke={1.7} />} title="No statement imported" order={3}>
            Statements are listed here for a while after they were imported, with what is still to decide.
          </EmptyState>
        }
        phoneRow={(row) => (
          <>
            <FileLink row={row} />
            <div className="quiet-text">
              {formats.number(row.counts.open)} to decide, imported {formats.day(row.importedAt)}
            </div>
          </>
        )}
      />
    </Section>
  );
}
