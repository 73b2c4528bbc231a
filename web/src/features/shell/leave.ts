import type { useRouter } from "@tanstack/react-router";
import { codeOf, messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { sessionState } from "../../core/session-state.ts";

const ROOTS = ["/", "/login", "/dashboard"];

/**
 * Whether a failure leads away from here: the root leads nowhere else, nor the only page that is open to somebody; and
 * where nobody answered the page may be tried again where it is.
 */
export function leavesFor(error: unknown): boolean {
  const { pathname } = window.location;
  const user = sessionState().status?.user;
  const isUnanswered = error instanceof Error && error.name === "TRPCClientError" && codeOf(error) === undefined;
  const isOnlyPage = pathname === "/account" && (!user?.hasAccess || user.mustSetUpTwoFactor);
  return !isUnanswered && !isOnlyPage && !ROOTS.includes(pathname);
}

/** Leads to the root and says why. */
export function leave(router: ReturnType<typeof useRouter>, error: unknown): void {
  const why = codeOf(error) === undefined ? "Try it again in a moment." : messageOf(error);
  notifyError(`That page could not be opened, so you are back at the start. ${why}`);
  void router.navigate({ to: "/", replace: true });
}
