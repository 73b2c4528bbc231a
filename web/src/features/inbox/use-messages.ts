import type { ClientMailPage } from "@app/shared/inbox";
import { PAGE_SIZE } from "@app/shared/product";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { matching, type Thread, threadsOf } from "./messages.ts";

interface Messages {
  threads: Thread[];
  /** What the mailbox says of itself; undefined while it is first read. */
  mailbox: Pick<ClientMailPage, "state" | "problem" | "mailbox"> | undefined;
  isLoading: boolean;
  /** Why nothing at all could be read. */
  error: unknown;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  showOlder: () => void;
  readAgain: () => void;
}

/** Everything written to a client and received from them, as far back as somebody asked for. */
export function useMessages(clientId: string, search: string): Messages {
  const [pages, setPages] = useState({ search, count: 1 });
  const count = pages.search === search ? pages.count : 1;
  const steps = Array.from({ length: count }, (_, index) => index);
  const utils = api.useUtils();
  const inbox = api.useQueries((t) =>
    steps.map((step) => t.inbox.list({ clientId, search, offset: step * PAGE_SIZE })),
  );
  const outbox = api.useQueries((t) => steps.map((step) => t.outbox.list({ clientId, page: step + 1 })));
  const [first] = inbox;
  const received = inbox.flatMap(({ data }) => data?.items ?? []);
  const queued = outbox.flatMap(({ data }) => data?.items ?? []);
  const total = outbox[0]?.data?.total ?? 0;
  // Until the mailbox answers, the outbox stands there alone.
  const sources = {
    mailbox: { items: received, hasOlder: inbox.findLast(({ data }) => data)?.data?.hasOlder ?? false },
    outbox: { items: search ? matching(queued, search) : queued, hasOlder: queued.length < total },
  };
  const all = [...inbox, ...outbox];
  return {
    threads: threadsOf(sources),
    mailbox: first?.data,
    isLoading: outbox[0]?.data === undefined && !outbox[0]?.error,
    error: outbox[0]?.error ?? first?.error,
    hasOlder: sources.mailbox.hasOlder || sources.outbox.hasOlder,
    isLoadingOlder: count > 1 && all.some(({ isFetching, data }) => isFetching && !data),
    showOlder: () => setPages({ search, count: count + 1 }),
    readAgain: () =>
      void Promise.all([utils.inbox.list.invalidate({ clientId }), utils.outbox.list.invalidate({ clientId })]),
  };
}
