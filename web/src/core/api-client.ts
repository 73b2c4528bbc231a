import type { AppRouter } from "@app/server/app-router";
import { createTRPCClient, httpLink, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { codeOf } from "./errors.ts";
import { headlessHeader } from "./headless.ts";
import { isImpersonating } from "./impersonation.ts";
import { noticeLostSignIn } from "./lost-sign-in.ts";
import { loseAccess, sessionState } from "./session-state.ts";

export const API_URL = "/trpc";

/** Whom this page is drawn for: the server refuses it where somebody else has signed in meanwhile. */
const drawnFor = (): Record<string, string> => {
  const user = sessionState().status?.user;
  return user ? { "x-drawn-for": user.userId } : {};
};

export const headers = () => ({
  ...headlessHeader(),
  ...drawnFor(),
  ...(isImpersonating() ? { "x-impersonation": "true" } : {}),
});

/** A refused call changes what this page knows of the person: signed out, or without a subscription. */
export const noticeRefusals: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        complete: () => observer.complete(),
        error: (error) => {
          if (codeOf(error) === "UNAUTHORIZED") noticeLostSignIn(op.type === "mutation");
          if (codeOf(error) === "PAYMENT_REQUIRED") loseAccess();
          observer.error(error);
        },
      }),
    );

/** One call in a request: it may set a cookie, and its status is the answer's. */
export const singleLink: TRPCLink<AppRouter> = httpLink({ url: API_URL, headers });

/** The plain client, for pages that do without the query cache. */
export const apiClient = createTRPCClient<AppRouter>({ links: [noticeRefusals, singleLink] });
