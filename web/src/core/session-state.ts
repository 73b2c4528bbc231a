import { can, type Permission } from "@app/shared/access";
import type { AuthStatus } from "@app/shared/auth";
import type { Access } from "@app/shared/subscriptions";
import type { CurrentUser } from "@app/shared/users";
import { useSyncExternalStore } from "react";

interface SessionState {
  status: AuthStatus | null;
  /** When the server was last asked; each check has its own. */
  checkedAt: number;
}

const NEVER: SessionState = { status: null, checkedAt: 0 };
let state = NEVER;
const listeners = new Set<() => void>();

export const sessionState = (): SessionState => state;

/** For loaders, which run before there is a component: whether whoever goes there may do this. */
export const mayNow = (permission: Permission): boolean => {
  const user = state.status?.user;
  return user ? can(user, permission) : false;
};

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const rememberSession = (status: AuthStatus): void => become({ status, checkedAt: Date.now() });
export const forgetSession = (): void => become(NEVER);

const changeUser = (change: (user: CurrentUser) => CurrentUser | null): void => {
  if (state.status?.user) become({ ...state, status: { ...state.status, user: change(state.status.user) } });
};

export const loseSignIn = (): void => changeUser(() => null);
export const loseAccess = (): void => setAccess({ hasAccess: false, plan: null });

export function setAccess({ hasAccess, plan }: Access): void {
  const user = state.status?.user;
  if (!user || (user.hasAccess === hasAccess && user.subscriptionPlan === plan)) return;
  changeUser(() => ({ ...user, hasAccess, subscriptionPlan: plan }));
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): SessionState => useSyncExternalStore(onSessionChange, sessionState);
