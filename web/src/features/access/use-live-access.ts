import { useEffect } from "react";
import { cachingClient } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { isImpersonating } from "../../core/impersonation.ts";
import { failCheck } from "../../core/session.ts";
import { loseSignIn, setAccess, useSession } from "../../core/session-state.ts";

/**
 * Listens to the practice's subscription: losing it sends this tab to the account page, getting it back lets it in.
 * One listener in a tab, replaced whenever the session is checked anew.
 */
export function useLiveAccess(): void {
  const { checkedAt } = useSession();
  useEffect(() => {
    if (isImpersonating() || checkedAt === 0) return;
    const listener = cachingClient.access.onChange.subscribe(undefined, {
      onData: setAccess,
      onError: refuse,
      // The connection is tried again by itself; only an answer that failed counts as a failed check.
      onConnectionStateChange: ({ error }) => error && codeOf(error) && refuse(error),
    });
    return () => listener.unsubscribe();
  }, [checkedAt]);
}

function refuse(error: unknown) {
  if (codeOf(error) === "UNAUTHORIZED") loseSignIn();
  else failCheck(error);
}
