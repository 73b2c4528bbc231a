import type { SigningPage } from "@app/shared/signatures";
import { Button } from "@mantine/core";
import { documentAddress, type Visit } from "./document-address.ts";

interface Props {
  visit: Visit;
  page: SigningPage;
  /** It came of what they just did. */
  isNew: boolean;
}

const WORDS: Record<Exclude<SigningPage["state"], "open" | "code">, { title: string; text: string }> = {
  signed: {
    title: "You have signed",
    text: "Thank you. Once everybody who has to has signed, you can download the signed document here.",
  },
  complete: { title: "Signed", text: "Everyone has signed. Keep a copy of the document for yourself." },
  declined: {
    title: "You have not signed",
    text: "We know that you do not want to sign this document. If you change your mind, please phone us, or write to us.",
  },
  expired: { title: "The time to sign is over", text: "Please phone us, or write to us, if you still want to sign." },
  not_yet: { title: "Not yet", text: "This document cannot be signed yet. We will write to you when it can." },
  void: { title: "Nothing to sign", text: "This document is not to be signed any more. You need not do anything." },
};

/** Where a document stands for one who signs it, when there is nothing to sign now. */
export function SigningState({ visit, page: { state }, isNew }: Props) {
  if (state === "open" || state === "code") return null;
  const { title, text } = WORDS[state];
  return (
    <>
      <h1 ref={isNew ? (heading) => heading?.focus() : undefined} tabIndex={-1} className="plain-title">
        {title}
      </h1>
      <p className="plain-text">{text}</p>
      {state === "complete" && (
        <Button component="a" size="lg" href={documentAddress(visit)} download>
          Download the signed document
        </Button>
      )}
      {state === "signed" && (
        <p className="plain-small">
          <a className="sign-link" href={`${documentAddress(visit)}&inline=true`} target="_blank" rel="noreferrer">
            Read the document again
          </a>
        </p>
      )}
    </>
  );
}
