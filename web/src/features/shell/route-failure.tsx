import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { messageOf, referenceOf } from "../../core/errors.ts";
import { leave, leavesFor } from "./leave.ts";
import "./plain-layout.css";

/** A navigation that the server refused leads to the root and says why; where nobody answered, it can be tried again. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const leaves = leavesFor(error);

  useEffect(() => {
    if (leaves) leave(router, error);
  }, [leaves, router, error]);

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
