import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { codeOf, messageOf } from "../../core/errors.ts";
import { onFailedLoad } from "../../core/load.ts";
import { notifyError } from "../../core/notify.ts";
import { sessionState } from "../../core/session-state.ts";

const ROOTS = ["/", "/login", "/dashboard"];
/** Here the guards lead somebody by themselves. */
const GUARDED = ["UNAUTHORIZED", "PAYMENT_REQUIRED"];

/** The server was asked and nobody answered: the page may be tried again where it is. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.name === "TRPCClientError" && codeOf(error) === undefined;

/** Whether a failure leads away from here: the root leads nowhere else, nor the only page that is open to somebody. */
export function leavesFor(error: unknown): boolean {
  const { pathname } = window.location;
  const user = sessionState().status?.user;
  const isOnlyPage = pathname === "/account" && (!user?.hasAccess || user.mustSetUpTwoFactor);
  return !isUnanswered(error) && !ROOTS.includes(pathname) && !isOnlyPage;
}

/** Leads to the root and says why. */
export function useLeave(): (error: unknown) => void {
  const navigate = useNavigate();
  return useCallback(
    (error) => {
      const why = codeOf(error) === undefined ? "Try it again in a moment." : messageOf(error);
      notifyError(`That page could not be opened, so you are back at the start. ${why}`);
      void navigate({ to: "/", replace: true });
    },
    [navigate],
  );
}

/** Leaves a page that was drawn before the server refused its data. */
export function useFailedLoads(): void {
  const leave = useLeave();
  useEffect(
    () =>
      onFailedLoad((error) => {
        if (leavesFor(error) && !GUARDED.includes(codeOf(error) ?? "")) leave(error);
      }),
    [leave],
  );
}
