import { useEffect } from "react";
import { apiUtils, cachingClient } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { isImpersonating } from "../../core/impersonation.ts";
import { checkSession, failCheck } from "../../core/session.ts";
import { noticeLostSignIn } from "../../core/lost-sign-in.ts";
import { setAccess, useSession } from "../../core/session-state.ts";

const SILENCE_MS = 1500;

/**
 * Listens to the practice's subscription: losing it sends this tab to the account page, getting it back lets it in.
 * One listener in a tab, replaced whenever the session is checked anew.
 */
export function useLiveAccess(): void {
  const { checkedAt } = useSession();
  useEffect(() => {
    if (isImpersonating() || checkedAt === 0) return;
    let again: ReturnType<typeof setTimeout> | undefined;
    const listener = cachingClient.access.onChange.subscribe(undefined, {
      onData(access) {
        setAccess(access);
        void apiUtils.subscriptions.get.invalidate();
      },
      onError: (error) => {
        if (codeOf(error)) refuse(error);
        else again = setTimeout(check, SILENCE_MS);
      },
      // The connection is tried again by itself; only an answer that failed counts as a failed check.
      onConnectionStateChange: ({ error }) => error && codeOf(error) && refuse(error),
    });
    return () => {
      clearTimeout(again);
      listener.unsubscribe();
    };
  }, [checkedAt]);
}

/**
 * A connection that ends without an answer is no failed check: so it ends on every page that is just being left, whose
 * place in the history must stay what it is. Whoever is still here by then is asked anew, and listens again after that.
 */
const check = () => void checkSession({ isFresh: true }).catch(refuse);

function refuse(error: unknown) {
  if (codeOf(error) === "UNAUTHORIZED") noticeLostSignIn();
  else failCheck(error);
}
