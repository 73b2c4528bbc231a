import { cutText } from "@app/shared/cut-text";
import type { TemplateRow } from "@app/shared/document-templates";
import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api } from "../../core/api.ts";

const DELAY_MS = 150;
const WORDS_MAX = 60;

interface Props {
  value: TemplateRow | null;
  onChange: (template: TemplateRow | null) => void;
  error?: string | undefined;
}

/** Chooses a template by its name. */
export function TemplateSelect({ value, onChange, error }: Props) {
  const [text, setText] = useState("");
  const sought = value && text === value.name ? "" : cutText(text.trim(), WORDS_MAX);
  const [wanted] = useDebouncedValue(sought, DELAY_MS);
  const found = api.documentTemplates.list.useQuery(
    { search: wanted, isWritten: true },
    { placeholderData: (before) => before },
  );
  const rows = found.data?.items ?? [];
  const shown = value && !rows.some(({ id }) => id === value.id) ? [value, ...rows] : rows;
  return (
    <Select
      label="Template"
      placeholder="Type a name"
      searchable
      data={shown.map(({ id, name }) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      onChange={(id) => onChange(shown.find((one) => one.id === id) ?? null)}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage="No template found"
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      error={error}
    />
  );
}
