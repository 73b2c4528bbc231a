import { type Privilege, PRIVILEGES } from "@app/shared/privileges";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import { api } from "../../core/api.ts";

const DELAY_MS = 200;

interface Options {
  clientId: string;
  page: number;
  onPage: (page: number) => void;
}

/** The files of a client, a page at a time, searched by their names: another search begins at the first page. */
export function useClientFiles({ clientId, page, onPage }: Options) {
  const [text, setText] = useState("");
  const [wanted] = useDebouncedValue(text.trim(), DELAY_MS);
  const [privilege, setPrivilege] = useState<Privilege | "">("");
  const query = api.files.list.useQuery(
    { clientId, page, search: wanted, ...(privilege ? { privilege } : {}) },
    { placeholderData: keepPreviousData },
  );
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    setText(event.currentTarget.value);
    onPage(1);
  };
  const onMark = (chosen: string) => {
    setPrivilege(PRIVILEGES.find((each) => each === chosen) ?? "");
    onPage(1);
  };
  return { query, isSearch: wanted !== "" || privilege !== "", privilege, onMark, field: { value: text, onChange } };
}
