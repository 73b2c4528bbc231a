import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { cutText } from "@app/shared/cut-text";
import { api } from "../../core/api.ts";

const DELAY_MS = 150;

interface Props {
  label?: string;
  value: string;
  onChange: (caseId: string) => void;
  error?: string | undefined;
}

/** Chooses a case by its reference or a party's name. */
export function CaseSelect({ label = "Case (optional)", value, onChange, error }: Props) {
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(cutText(text.trim(), 30), DELAY_MS);
  const found = api.cases.list.useQuery({ search: wanted }, { placeholderData: (before) => before });
  return (
    <Select
      label={label}
      placeholder="Type a name or a reference"
      searchable
      clearable
      data={(found.data?.items ?? []).map(({ id, caseRef, parties }) => ({
        value: id,
        label: `${caseRef}: ${parties.map(({ name }) => name).join(", ")}`,
      }))}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage="No case found"
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      error={error}
    />
  );
}
