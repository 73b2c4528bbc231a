import { type ErrorComponentProps, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { codeOf, messageOf, referenceOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import "./plain-layout.css";

const ROOTS = ["/", "/login", "/dashboard"];

/** An answer of the server stands where the page would; any other failure of a navigation leads to the root. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const navigate = useNavigate();
  const isAnswer = codeOf(error) !== undefined;
  const isAtRoot = ROOTS.includes(window.location.pathname);
  const leaves = !isAnswer && !isAtRoot;

  useEffect(() => {
    if (!leaves) return;
    notifyError("That page could not be opened, so you are back at the start. Try it again in a moment.");
    void navigate({ to: "/", replace: true });
  }, [leaves, navigate]);

  if (leaves) return null;
  const reference = referenceOf(error);
  return (
    <div className="plain-column" role="alert">
      <h1 className="plain-title">This page could not be opened</h1>
      <p className="plain-text">{messageOf(error)}</p>
      <button type="button" className="plain-button" onClick={() => void router.invalidate()}>
        Try again
      </button>
      {reference && <p className="plain-small">If you write to support, give code {reference}.</p>}
    </div>
  );
}
