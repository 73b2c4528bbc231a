import type { OpenedForm } from "@app/shared/submissions";
import { type ReactNode, useEffect } from "react";
import { focusTitle } from "./focus-title.ts";
import { FormFrame } from "./form-frame.tsx";
import { Receipt } from "./receipt.tsx";

interface Props {
  opened: OpenedForm;
  /** It was sent before this page was opened. */
  isBefore?: boolean;
  /** What opens their receipt; null where there is none. */
  receipt?: string | null;
  children?: ReactNode;
}

/** After it was sent: nothing of what was said stands here. */
export function Thanks({
  opened: { practiceName, content, mailsTo },
  isBefore = false,
  receipt = null,
  children,
}: Props) {
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: "instant" });
    if (!isBefore) focusTitle();
  }, [isBefore]);
  const { title, text } = content.thanks;
  return (
    <FormFrame practiceName={practiceName} done={null}>
      <h1 className="form-title">{isBefore ? "This was sent already" : title || "Thank you"}</h1>
      {isBefore ? (
        <p className="plain-text">
          Your answers have arrived. Ask {practiceName} if something in them has to change. You can close this page.
        </p>
      ) : (
        text.split(/\n+/).map((line, index) => (
          <p key={index} className="plain-text">
            {line}
          </p>
        ))
      )}
      {!isBefore && <p className="plain-small">Your answers have arrived. You can close this page.</p>}
      {children}
      {receipt !== null && <Receipt receipt={receipt} mailsTo={mailsTo} />}
    </FormFrame>
  );
}
