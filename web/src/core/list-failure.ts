import type { TableFailure } from "../ui/data-table.tsx";
import { messageOf, referenceOf } from "./errors.ts";

interface ListQuery {
  data: unknown;
  error: unknown;
  refetch: () => Promise<unknown>;
}

/** What a table says in place of its rows, where nothing of the list could be read. */
export const listFailure = ({ data, error, refetch }: ListQuery): TableFailure | undefined =>
  error && data === undefined
    ? { message: messageOf(error), reference: referenceOf(error), onRetry: () => void refetch() }
    : undefined;
