import { useEffect } from "react";
import { api, cachingClient } from "../../core/api.ts";

/** While this is on the screen, mail that arrives appears by itself. */
export function useMailNews(isEnabled: boolean): void {
  const utils = api.useUtils();
  useEffect(() => {
    if (!isEnabled) return;
    const listener = cachingClient.inbox.onNews.subscribe(undefined, {
      onData: ({ count }) => {
        if (count > 0) void utils.inbox.list.invalidate();
      },
      // A line that breaks is opened again by itself; the list tells what is wrong with the mailbox.
      onError: () => undefined,
    });
    return () => listener.unsubscribe();
  }, [isEnabled, utils]);
}
