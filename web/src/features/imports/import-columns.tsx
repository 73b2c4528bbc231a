import { IMPORT_FIELDS } from "@app/shared/import-fields";
import { columnsProblem, type DataImport } from "@app/shared/imports";
import { Button, Select, Table } from "@mantine/core";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { DiscardButton } from "./discard-button.tsx";
import { ImportOptions } from "./import-options.tsx";
import { counted } from "./import-words.ts";
import { useImportSteps } from "./use-import.ts";

interface Props {
  data: DataImport;
  /** The server has begun to check. */
  onChecking: () => void;
}

/** Says for each column of the file which field it fills. */
export function ImportColumns({ data, onChecking }: Props) {
  const steps = useImportSteps(data.id);
  const formats = useFormats();
  const [options, setOptions] = useState({
    columns: data.columns,
    duplicates: data.duplicates,
    dateOrder: data.dateOrder,
  });
  const [isTried, setIsTried] = useState(false);
  const problem = columnsProblem(data.kind, options.columns);
  const used = options.columns.filter(Boolean).length;
  const check = async () => {
    setIsTried(true);
    if (!problem && (await steps.check(options))) onChecking();
  };
  return (
    <>
      {data.failure && <FormFailure>{data.failure}</FormFailure>}
      <p className="import-text">
        {counted(data.total, ["row", "rows"], formats.number(data.total))} below the headings, {used} of{" "}
        {data.headings.length} columns are used. Choose what each column contains, and leave out what you do not need.
      </p>
      <ColumnsTable
        data={data}
        columns={options.columns}
        isTried={isTried}
        onChange={(columns) => setOptions({ ...options, columns })}
      />
      <ImportOptions kind={data.kind} options={options} onChange={(change) => setOptions({ ...options, ...change })} />
      {isTried && problem && <FormFailure>{problem}</FormFailure>}
      <div className="import-actions">
        <Button onClick={() => void check()} loading={steps.isBusy}>
          Check all rows
        </Button>
        <DiscardButton data={data} />
        <span className="quiet-text">Checking stores nothing.</span>
      </div>
    </>
  );
}

interface TableProps {
  data: DataImport;
  columns: readonly string[];
  isTried: boolean;
  onChange: (columns: string[]) => void;
}

function ColumnsTable({ data, columns, isTried, onChange }: TableProps) {
  const isTwice = (field: string | undefined) =>
    isTried && field !== "" && columns.filter((one) => one === field).length > 1;
  return (
    <Table className="import-columns" aria-label="Columns of the file">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Column of the file</Table.Th>
          <Table.Th className="import-sample-cell">For example</Table.Th>
          <Table.Th>Holds</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.headings.map((heading, index) => (
          <Table.Tr key={`${index} ${heading}`}>
            <Table.Td className="import-heading">
              {heading}
              <span className="import-example">{exampleOf(data, index)}</span>
            </Table.Td>
            <Table.Td className="import-sample import-sample-cell">{exampleOf(data, index)}</Table.Td>
            <Table.Td>
              <FieldSelect
                kind={data.kind}
                heading={heading}
                value={columns[index] ?? ""}
                isTwice={isTwice(columns[index])}
                onChange={(field) => onChange(columns.map((before, at) => (at === index ? field : before)))}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const exampleOf = ({ sample }: DataImport, index: number): string =>
  sample.map((cells) => cells[index] ?? "").find((cell) => cell.trim() !== "") ?? "";

interface FieldSelectProps {
  kind: DataImport["kind"];
  heading: string;
  value: string;
  isTwice: boolean;
  onChange: (field: string) => void;
}

function FieldSelect({ kind, heading, value, isTwice, onChange }: FieldSelectProps) {
  return (
    <Select
      aria-label={`What ${heading} holds`}
      data={IMPORT_FIELDS[kind].map(({ name, label }) => ({ value: name, label }))}
      value={value || null}
      onChange={(field) => onChange(field ?? "")}
      placeholder="Left out"
      searchable
      clearable
      clearButtonProps={{ "aria-label": `Leave ${heading} out` }}
      nothingFoundMessage="No such field"
      error={isTwice ? "Another column has this too" : undefined}
      data-left-out={value === "" || undefined}
    />
  );
}
