import type { AuthStatus } from "@app/shared/auth";
import type { CurrentUser } from "@app/shared/users";
import { apiClient } from "./api-client.ts";
import { codeOf, messageOf } from "./errors.ts";
import { keepUnsaved } from "./lost-sign-in.ts";
import { notifyError } from "./notify.ts";
import { loseAccess, rememberSession, sessionState, useSession } from "./session-state.ts";

const CHECK_INTERVAL_MS = 30_000;
const SILENCE_MS = 1500;
let pending: Promise<AuthStatus> | null = null;

/** Who is signed in and what they may open. Asks the server unless it was asked a moment ago. */
export async function checkSession({ isFresh = false } = {}): Promise<AuthStatus> {
  const { status, checkedAt } = sessionState();
  if (status && !isFresh && Date.now() - checkedAt < CHECK_INTERVAL_MS) return status;
  pending ??= ask().finally(() => (pending = null));
  return pending;
}

async function ask(): Promise<AuthStatus> {
  try {
    const answer = await askTwice();
    const { status } = sessionState();
    if (status?.user && !answer.user && keepUnsaved()) return status;
    rememberSession(answer);
    return answer;
  } catch (error) {
    const { status } = sessionState();
    if (!status?.user) throw error;
    failCheck(error);
    return sessionState().status ?? status;
  }
}

/** Silence is asked once more: a server that starts again, or a page that is just being left, is not a failed check. */
async function askTwice(): Promise<AuthStatus> {
  try {
    return await apiClient.auth.status.query();
  } catch (error) {
    if (codeOf(error) !== undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
    return apiClient.auth.status.query();
  }
}

/** A check that fails means no access, and support is told; telling may fail too, which ends there. */
export function failCheck(error: unknown): void {
  loseAccess();
  apiClient.support.reportError
    .mutate({ component: "Router", message: messageOf(error) })
    .catch((reportError: unknown) => {
      notifyError(`Your subscription could not be checked. ${messageOf(reportError)}`);
    });
}

/** The person who is signed in; only for what is shown inside the signed-in layout. */
export function useCurrentUser(): CurrentUser {
  const user = useOptionalUser();
  if (!user) throw new Error("Nobody is signed in here");
  return user;
}

export const useOptionalUser = (): CurrentUser | null => useSession().status?.user ?? null;
