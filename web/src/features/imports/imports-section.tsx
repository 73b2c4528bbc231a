import { IMPORT_KIND_NAMES } from "@app/shared/import-states";
import type { DataImport } from "@app/shared/imports";
import { IconFileImport } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import type { Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton, TextLink } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";
import { STATUS_NAMES } from "./import-words.ts";
import "./imports.css";

const openOf = ({ id }: DataImport) => ({ tab: "data", import: id }) as const;

const columnsOf = (formats: ReturnType<typeof useFormats>): Column<DataImport>[] => [
  {
    key: "file",
    header: "File",
    cell: (row) => (
      <TextLink to="/account" search={openOf(row)}>
        {row.fileName}
      </TextLink>
    ),
  },
  { key: "kind", header: "Holds", width: 110, cell: ({ kind }) => IMPORT_KIND_NAMES[kind] },
  { key: "status", header: "State", width: 210, cell: ({ status }) => STATUS_NAMES[status] },
  {
    key: "imported",
    header: "Imported",
    width: 100,
    align: "right",
    isTabular: true,
    cell: ({ counts }) => formats.number(counts.imported - counts.undone),
  },
  { key: "by", header: "Begun", width: 190, isTabular: true, cell: ({ createdAt }) => formats.dateTime(createdAt) },
];

/** Every import of the practice, the newest first. */
export function ImportsSection({ page }: { page: number }) {
  const navigate = useNavigate();
  const formats = useFormats();
  const list = api.imports.list.useQuery({ page }, { placeholderData: keepPreviousData });
  const isEmpty = list.data?.items.length === 0 && page === 1;
  return (
    <Section title="Import" action={!isEmpty && <BeginButton />}>
      <PagedTable
        label="Imports"
        columns={columnsOf(formats)}
        list={list.data}
        page={page}
        words={["import", "imports"]}
        onPage={(next) => void navigate({ to: "/account", search: { tab: "data", page: next } })}
        rowKey={({ id }) => id}
        rowName={({ fileName }) => fileName}
        onOpen={(row) => void navigate({ to: "/account", search: openOf(row) })}
        failure={listFailure(list)}
        empty={<NoImports />}
        phoneRow={(row) => (
          <>
            <TextLink to="/account" search={openOf(row)}>
              {row.fileName}
            </TextLink>
            <div className="quiet-text">
              {IMPORT_KIND_NAMES[row.kind]}, {STATUS_NAMES[row.status].toLowerCase()}, {formats.day(row.createdAt)}
            </div>
          </>
        )}
      />
    </Section>
  );
}

const BeginButton = () => (
  <LinkButton
    to="/account"
    search={{ tab: "data", import: "new" }}
    leftSection={<IconFileImport size={16} stroke={1.7} />}
  >
    Import a list
  </LinkButton>
);

const NoImports = () => (
  <EmptyState
    icon={<IconFileImport size={24} stroke={1.7} />}
    title="Nothing imported yet"
    order={3}
    actions={<BeginButton />}
  >
    Bring clients, contacts, cases and meetings along from a spreadsheet or another program, as CSV or Excel. You see
    what would happen before anything is stored, and can take all of it back.
  </EmptyState>
);
