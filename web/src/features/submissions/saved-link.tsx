import { dayText } from "@app/shared/answer-texts";
import { DRAFT_KEPT_DAYS } from "@app/shared/submission-limits";
import type { FormPlace, OpenedForm } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { MailToSelf } from "./mail-to-self.tsx";

interface Props extends Pick<OpenedForm, "expiresAt" | "mailsTo"> {
  place: FormPlace;
}

/** The link that leads back: to be copied, or sent by mail. */
export function SavedLink({ place, expiresAt, mailsTo }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  const link = useRef<HTMLInputElement>(null);
  const address = `${window.location.origin}/form/${place.formId}/${place.userId}`;
  const lasting = expiresAt ? `until ${dayText(expiresAt.slice(0, 10))}` : `for ${DRAFT_KEPT_DAYS} days`;
  const copy = async () => {
    link.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setIsCopied(true);
    } catch (error) {
      // It is selected, so that it can be copied by hand.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
  };
  return (
    <>
      <p>
        All answers are saved. This link brings you back to this page, on any phone or computer, {lasting}. Whoever has
        it can read your answers, so keep it where only you can see it.
      </p>
      <input
        ref={link}
        className="form-input"
        readOnly
        aria-label="Your link"
        value={address}
        onFocus={() => link.current?.select()}
      />
      <Button size="lg" fullWidth onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy the link"}
      </Button>
      <MailToSelf
        mailsTo={mailsTo}
        label="Email me the link"
        send={(to) => apiClient.submissions.filling.mailLink.mutate({ ...place, ...to })}
      />
    </>
  );
}
