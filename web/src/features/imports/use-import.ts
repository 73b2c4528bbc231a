import { isRunning } from "@app/shared/import-states";
import type { DataImport } from "@app/shared/imports";
import { useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";

const POLL_MS = 700;

/** An import as it stands; while the server works on it, it is asked again and again. */
export function useImport(id: string) {
  const query = api.imports.get.useQuery(
    { id },
    { refetchInterval: ({ state }) => (state.data && isRunning(state.data.status) ? POLL_MS : false) },
  );
  useFreshAfter(query.data !== undefined && isRunning(query.data.status));
  return query;
}

/** What was fetched while records came or went is asked for again once that is over. */
export function useFreshAfter(isWorking: boolean): void {
  const utils = api.useUtils();
  const wasWorking = useRef(false);
  useEffect(() => {
    if (wasWorking.current && !isWorking) void utils.invalidate();
    wasWorking.current = isWorking;
  }, [isWorking, utils]);
}

/** The steps that a person takes with an import; a refusal is told. */
export function useImportSteps(id: string) {
  const utils = api.useUtils();
  const [isBusy, setIsBusy] = useState(false);
  const check = api.imports.check.useMutation();
  const start = api.imports.start.useMutation();
  const cancel = api.imports.cancel.useMutation();
  const undo = api.imports.undo.useMutation();
  const discard = api.imports.discard.useMutation();

  async function run<Result>(step: () => Promise<Result>): Promise<Result | undefined> {
    setIsBusy(true);
    try {
      return await step();
    } catch (error) {
      notifyError(messageOf(error));
      return undefined;
    } finally {
      setIsBusy(false);
      await utils.imports.invalidate();
    }
  }

  return {
    isBusy,
    check: (options: Pick<DataImport, "columns" | "duplicates" | "dateOrder">) =>
      run(() => check.mutateAsync({ id, ...options })),
    start: () => run(() => start.mutateAsync({ id })),
    cancel: () => run(() => cancel.mutateAsync({ id })),
    undo: (keepsChanged: boolean) => run(() => undo.mutateAsync({ id, keepsChanged })),
    discard: () => run(() => discard.mutateAsync({ id }).then(() => true)),
  };
}
