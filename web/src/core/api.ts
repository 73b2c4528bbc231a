import type { AppRouter } from "@app/server/app-router";
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact } from "@trpc/react-query";
import { API_URL, headers, noticeRefusals, singleLink } from "./api-client.ts";
import { askAndRepeat } from "./confirm-identity.ts";
import { codeOf } from "./errors.ts";
import { onSessionChange, sessionState } from "./session-state.ts";

const BATCH_MAX = 10;
const STALE_MS = 5000;
const RETRIES_MAX = 1;

export const api = createTRPCReact<AppRouter>();

export const cachingClient = createTRPCClient<AppRouter>({
  links: [
    noticeRefusals,
    askAndRepeat,
    splitLink({
      condition: (op) => op.type === "subscription",
      true: httpSubscriptionLink({ url: API_URL }),
      false: splitLink({
        condition: (op) => op.type === "mutation",
        true: singleLink,
        false: httpBatchLink({ url: API_URL, headers, maxItems: BATCH_MAX }),
      }),
    }),
  ],
});

export const queryClient = new QueryClient({
  // Whoever was refused because something stands otherwise by now sees it as it is.
  mutationCache: new MutationCache({
    onError: (error) => {
      if (codeOf(error) === "CONFLICT") void queryClient.invalidateQueries();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // An answer with a code is an answer; only silence is worth a second try.
      retry: (failures, error) => failures < RETRIES_MAX && codeOf(error) === undefined,
    },
  },
});

/** The same cache for loaders: what they fetch, the component finds. */
export const apiUtils = createTRPCQueryUtils<AppRouter>({ queryClient, client: cachingClient });

// Nothing of one person's work stays in memory for the next; what has still to be saved waits for whose it is.
onSessionChange(() => {
  const user = sessionState().status?.user;
  const mutations = queryClient.getMutationCache();
  if (!user) queryClient.getQueryCache().clear();
  for (const mutation of mutations.getAll()) {
    const keptFor = mutation.meta?.["keptFor"];
    if (user ? keptFor !== undefined && keptFor !== user.userId : keptFor === undefined) mutations.remove(mutation);
  }
});
