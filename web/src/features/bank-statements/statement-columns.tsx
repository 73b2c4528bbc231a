import { BANK_COLUMN_NAMES, BANK_COLUMNS, type BankColumnOrNone, bankColumnsProblem } from "@app/shared/bank-columns";
import type { BankTable } from "@app/shared/bank-statements";
import { Button, Radio, Select, Table } from "@mantine/core";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { FormFailure } from "../../ui/form-failure.tsx";

interface Props {
  table: BankTable;
  failure: string;
  isSending: boolean;
  onSaid: (said: { columns: BankColumnOrNone[]; dateOrder: BankTable["dateOrder"] }) => void;
  onBack: () => void;
}

/** Shows what each column was taken for, to be corrected. */
export function StatementColumns({ table, failure, isSending, onSaid, onBack }: Props) {
  const formats = useFormats();
  const [columns, setColumns] = useState<BankColumnOrNone[]>(table.columns);
  const [dateOrder, setDateOrder] = useState(table.dateOrder);
  const [isTried, setIsTried] = useState(false);
  const problem = bankColumnsProblem(columns);
  const go = () => {
    setIsTried(true);
    if (problem === "") onSaid({ columns, dateOrder });
  };
  return (
    <>
      <p className="bank-text">
        {formats.number(table.rows)} {table.rows === 1 ? "row" : "rows"} below the headings. Look whether each column is
        what it says here, and correct it where it is not.
      </p>
      <ColumnsTable table={table} columns={columns} onChange={setColumns} />
      {!table.isDateOrderSure && (
        <Radio.Group
          label="How days are written"
          description="The days in this file could be read in both ways"
          value={dateOrder}
          onChange={(value) => setDateOrder(value === "mdy" ? "mdy" : "dmy")}
          className="bank-order"
        >
          <Radio value="dmy" label="Day first: 03/04 is 3 April" />
          <Radio value="mdy" label="Month first: 03/04 is 4 March" />
        </Radio.Group>
      )}
      {isTried && problem !== "" && <FormFailure>{problem}</FormFailure>}
      {failure !== "" && <FormFailure>{failure}</FormFailure>}
      <div className="bank-actions">
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button onClick={go} loading={isSending}>
          Show what came in
        </Button>
        <span className="quiet-text">Nothing is recorded by this.</span>
      </div>
    </>
  );
}

interface TableProps {
  table: BankTable;
  columns: readonly BankColumnOrNone[];
  onChange: (columns: BankColumnOrNone[]) => void;
}

function ColumnsTable({ table, columns, onChange }: TableProps) {
  const choose = (index: number, chosen: string | null) => {
    const column = BANK_COLUMNS.find((known) => known === chosen) ?? "";
    onChange(columns.map((before, at) => (at === index ? column : before)));
  };
  return (
    <Table className="bank-columns" aria-label="Columns of the file">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Column of the file</Table.Th>
          <Table.Th>Holds</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {table.headings.map((heading, index) => (
          <Table.Tr key={`${index} ${heading}`}>
            <Table.Td className="bank-heading">
              {heading}
              <span className="bank-example">{exampleOf(table, index)}</span>
            </Table.Td>
            <Table.Td>
              <Select
                aria-label={`What ${heading} holds`}
                data={BANK_COLUMNS.map((value) => ({ value, label: BANK_COLUMN_NAMES[value] }))}
                value={columns[index] || null}
                onChange={(chosen) => choose(index, chosen)}
                placeholder="Left out"
                clearable
                clearButtonProps={{ "aria-label": `Leave ${heading} out` }}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const exampleOf = ({ sample }: BankTable, index: number): string =>
  sample.map((cells) => cells[index] ?? "").find((cell) => cell.trim() !== "") ?? "";
