import { importableKinds } from "@app/shared/team-access";
import { isRunning, progressOf } from "@app/shared/import-states";
import { Loader } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { TextLink } from "../../ui/links.tsx";
import { useFreshAfter } from "./use-import.ts";

const POLL_MS = 1500;
const FIRST_PAGE = { page: 1 };
const WORDS: Partial<Record<string, string>> = { checking: "Checking", importing: "Importing", undoing: "Undoing" };

/** On every page: an import that the server works on, and the way to it. */
export function RunningImport() {
  const user = useCurrentUser();
  const list = api.imports.list.useQuery(FIRST_PAGE, {
    enabled: importableKinds(user).length > 0,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => isRunning(status)) ? POLL_MS : false),
  });
  const running = list.data?.items.find(({ status }) => isRunning(status));
  useFreshAfter(running !== undefined);
  if (!running) return null;
  const { done, total } = progressOf(running);
  return (
    <TextLink to="/account" search={{ tab: "data", import: running.id }} className="running-import">
      <Loader size={12} aria-hidden /> {WORDS[running.status]} {running.kind},{" "}
      {Math.floor((done / Math.max(1, total)) * 100)} %
    </TextLink>
  );
}
