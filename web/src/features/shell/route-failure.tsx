import { type ErrorComponentProps, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { codeOf, messageOf, referenceOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import "./plain-layout.css";

const ROOTS = ["/", "/login", "/dashboard"];

/** A failed navigation leads to the root and says why; where that fails itself, there is nowhere else to lead. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const navigate = useNavigate();
  const leaves = !ROOTS.includes(window.location.pathname);
  const why = codeOf(error) === undefined ? "Try it again in a moment." : messageOf(error);

  useEffect(() => {
    if (!leaves) return;
    notifyError(`That page could not be opened, so you are back at the start. ${why}`);
    void navigate({ to: "/", replace: true });
  }, [leaves, navigate, why]);

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
