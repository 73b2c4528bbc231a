import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTitle } from "../../core/title.ts";
import { AcceptInvitationForm } from "./accept-invitation-form.tsx";
import type { readInvitation } from "./invitation.ts";
import { LoginHead } from "./login-head.tsx";

// Seen once in the life of an installation: whoever was invited need not load it.
const FirstRun = lazy(async () => ({ default: (await import("./first-run.tsx")).FirstRun }));

interface Props {
  token: string | undefined;
  invitation: Awaited<ReturnType<typeof readInvitation>>;
}

/** The first practice of an installation; with a token, the account of a person who was invited. */
export function SetupPage({ token, invitation }: Props) {
  useTitle(token === undefined ? "Set up your practice" : "Join a practice");
  if (token === undefined)
    return (
      <Suspense>
        <FirstRun />
      </Suspense>
    );
  if (typeof invitation === "object") return <AcceptInvitationForm token={token} invitation={invitation} />;
  return (
    <div className="login-narrow">
      {invitation === "hasAccount" ? (
        <LoginHead title="This address has an account already">
          It cannot join another practice. Ask the person who invited you to use another of your addresses.
        </LoginHead>
      ) : (
        <LoginHead title="This invitation does not work any more">
          It was used, taken back or is too old. Ask the owner of the practice for a new one.
        </LoginHead>
      )}
      <div className="login-links">
        <Link to="/" className="login-link">
          Go to sign in
        </Link>
      </div>
    </div>
  );
}
