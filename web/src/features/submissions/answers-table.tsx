import type { AnsweredRow } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { AnswersState } from "./answers-state.tsx";

interface Props {
  rows: readonly AnsweredRow[];
  /** The questions that have a column. */
  columns: readonly { fieldId: string; label: string }[];
  isFormNamed: boolean;
  isOldestFirst: boolean;
  onOrder: (isOldestFirst: boolean) => void;
  onOpen: (id: string) => void;
}

/** As many as fit beside what stands there of each: the others are read with the rest. */
const COLUMNS_MAX = 3;

const nameOf = ({ clientName }: AnsweredRow): string => clientName || "Nobody’s yet";

/** What people answered: whose it is, the first answers, and what somebody asked to be told of. */
export function AnswersTable({ rows, columns, isFormNamed, isOldestFirst, onOrder, onOpen }: Props) {
  const formats = useFormats();
  const sentAt = ({ submittedAt }: AnsweredRow) => (submittedAt ? formats.dateTime(submittedAt) : "–");
  const read = (row: AnsweredRow) => <ReadButton row={row} onOpen={onOpen} />;
  const shown: Column<AnsweredRow, "submittedAt">[] = [
    { key: "who", header: "Client", ...(columns.length > 0 || isFormNamed ? { width: 150 } : {}), cell: nameOf },
    ...(isFormNamed ? [{ key: "form", header: "Form", cell: ({ formName }: AnsweredRow) => formName }] : []),
    ...columns.slice(0, COLUMNS_MAX).map(({ fieldId, label }, index) => ({
      key: `answer ${fieldId}`,
      header: label,
      ...(index === 0 ? {} : { width: 130 }),
      cell: ({ cells }: AnsweredRow) => cells[index] || "–",
    })),
    { key: "state", header: "Status", width: 210, cell: (row) => <AnswersState row={row} /> },
    { key: "sent", header: "Sent in", width: 150, isTabular: true, sort: "submittedAt", cell: sentAt },
    { key: "read", header: "Read", width: 130, cell: read },
  ];
  return (
    <DataTable
      label="Answers"
      columns={shown}
      rows={rows}
      rowKey={({ id }) => id}
      rowName={nameOf}
      onOpen={({ id }) => onOpen(id)}
      sort={{
        by: "submittedAt",
        isDescending: !isOldestFirst,
        onChange: (_by, isDescending) => onOrder(!isDescending),
      }}
      empty={null}
      phoneRow={(row) => (
        <>
          <span>
            {[...new Set([nameOf(row), ...(isFormNamed ? [row.formName] : []), row.cells[0]])]
              .filter(Boolean)
              .join(" · ")}
          </span>
          <AnswersState row={row} />
          <span>
            {sentAt(row)} {read(row)}
          </span>
        </>
      )}
    />
  );
}

const ReadButton = ({ row, onOpen }: { row: AnsweredRow; onOpen: (id: string) => void }) => (
  <Button
    size="xs"
    variant="default"
    aria-label={`Read answers: ${nameOf(row)}`}
    onClick={(event) => {
      event.stopPropagation();
      onOpen(row.id);
    }}
  >
    Read answers
  </Button>
);
