import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { api } from "../../core/api.ts";

const DELAY_MS = 150;
const NEW = "new";

interface Props {
  label: string;
  value: string;
  onChange: (clientId: string) => void;
  /** What was typed and left without choosing anybody; empty once somebody is chosen, or nothing is typed. */
  onLeft?: (typed: string) => void;
  /** Where somebody may be added who is no client yet: gets the name that was typed. */
  onNew?: (name: string) => void;
  /** Clients who cannot be chosen here. */
  exceptIds?: readonly string[];
  error?: string | undefined;
}

/** Chooses one client of the practice by a part of the name, the address or the number. */
export function ClientSelect({ label, value, onChange, onLeft, onNew, exceptIds = [], error }: Props) {
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), DELAY_MS);
  const found = api.clients.list.useQuery({ search: wanted }, { placeholderData: (before) => before });
  const options = (found.data?.items ?? [])
    .filter(({ id }) => !exceptIds.includes(id))
    .map(({ id, displayName, email }) => ({ value: id, label: email ? `${displayName} (${email})` : displayName }));
  const isNewOffered = onNew !== undefined && wanted !== "" && wanted === text.trim() && !found.isFetching;
  const added = isNewOffered ? [{ value: NEW, label: `Add “${wanted}” as a new client` }] : [];
  return (
    <Select
      label={label}
      placeholder="Type a name"
      searchable
      clearable
      data={[...options, ...added]}
      value={value || null}
      onChange={(id) => {
        onLeft?.("");
        if (id === NEW) onNew?.(wanted);
        else onChange(id ?? "");
      }}
      onFocus={() => onLeft?.("")}
      onBlur={() => {
        if (value !== "") return;
        // The field would be emptied, as if nothing had been typed.
        setText(text);
        onLeft?.(text.trim());
      }}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options: all }) => all}
      nothingFoundMessage="No client found. Add the person as a client first."
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      error={error}
    />
  );
}

/** What to do about a name that was typed, with nobody chosen by it; nothing else would tell that they are not in it. */
export const notChosen = (typed: string): string =>
  `Nobody is chosen by “${typed}”. Choose a client from the list, or leave it empty and add them later.`;
