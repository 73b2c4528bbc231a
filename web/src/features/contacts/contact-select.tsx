import { cutText } from "@app/shared/cut-text";
import type { ContactRow } from "@app/shared/contacts";
import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { rolesOf } from "./contact-words.ts";

const DELAY_MS = 150;

interface Props {
  value: string;
  onChange: (contact: ContactRow | null) => void;
  error?: string | undefined;
}

/** Chooses one contact of the practice by a part of the name, the firm, the address or the number. */
export function ContactSelect({ value, onChange, error }: Props) {
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(cutText(text.trim(), 100), DELAY_MS);
  // What stands in the field after the choice is a label, which no record begins with.
  const found = api.contacts.list.useQuery(
    { search: wanted },
    { enabled: value === "", placeholderData: (before) => before },
  );
  const items = found.data?.items ?? [];
  return (
    <Select
      label="Contact"
      placeholder="Type a name or an organisation"
      searchable
      clearable
      data={items.map((contact) => ({ value: contact.id, label: labelOf(contact) }))}
      value={value || null}
      onChange={(id) => onChange(items.find((contact) => contact.id === id) ?? null)}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage="No contact found. Add the person under Contacts first."
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      error={error}
    />
  );
}

const labelOf = (contact: ContactRow): string => {
  const { displayName, organisation } = contact;
  const firm = organisation && organisation !== displayName ? `, ${organisation}` : "";
  return `${displayName}${firm} (${rolesOf(contact)})`;
};
