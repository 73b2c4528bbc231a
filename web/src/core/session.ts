import type { CurrentUser } from "@app/shared/users";
import { apiClient } from "./api-client.ts";
import { rememberSession, sessionState, type SessionStatus, useSession } from "./session-state.ts";

const CHECK_INTERVAL_MS = 30_000;
let pending: Promise<SessionStatus> | null = null;

/** Who is signed in and what they may open. Asks the server unless it was asked a moment ago. */
export async function checkSession({ isFresh = false } = {}): Promise<SessionStatus> {
  const { status, checkedAt } = sessionState();
  if (status && !isFresh && Date.now() - checkedAt < CHECK_INTERVAL_MS) return status;
  pending ??= apiClient.auth.status.query().finally(() => (pending = null));
  const answer = await pending;
  if (sessionState().status !== answer) rememberSession(answer);
  return answer;
}

/** The person who is signed in; only for what is shown inside the signed-in layout. */
export function useCurrentUser(): CurrentUser {
  const user = useOptionalUser();
  if (!user) throw new Error("Nobody is signed in here");
  return user;
}

export const useOptionalUser = (): CurrentUser | null => useSession().status?.user ?? null;
