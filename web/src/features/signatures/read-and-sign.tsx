import type { SigningPage } from "@app/shared/signatures";
import { lazy, Suspense, useCallback, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { DeclineForm } from "./decline-form.tsx";
import { documentAddress, type Visit } from "./document-address.ts";
import { SignForm } from "./sign-form.tsx";

const PdfView = lazy(async () => ({ default: (await import("../../ui/pdf/pdf-view.tsx")).PdfView }));

interface Props {
  visit: Visit;
  page: SigningPage;
  /** It came of what they just did, such as typing a code. */
  isNew: boolean;
  onDone: (page: SigningPage) => void;
}

/** Reads first, then signs; or says no, with or without a reason. */
export function ReadAndSign({ visit, page, isNew, onDone }: Props) {
  const [isAtEnd, setIsAtEnd] = useState(false);
  const [isDeclining, setIsDeclining] = useState(false);
  const end = useCallback(() => setIsAtEnd(true), []);
  const address = documentAddress(visit);
  return (
    <>
      <h1 ref={isNew ? putFocus : undefined} tabIndex={-1} className="plain-title">
        A document for you to sign
      </h1>
      <p className="plain-text">
        {page.name}, please read “{page.title}” to its end. Then sign it below if you agree with it. You can do so until{" "}
        {dayOf(page.dueAt)}.
      </p>
      {page.words && <p className="plain-text sign-words">{page.words}</p>}
      <div className="sign-document">
        <Suspense fallback={<div className="sign-waiting" aria-busy="true" />}>
          <PdfView address={address} onEnd={end} />
        </Suspense>
      </div>
      <p className="plain-small">
        <a className="sign-link" href={`${address}&inline=true`} target="_blank" rel="noreferrer" onClick={end}>
          Open it by itself
        </a>
        , larger or with a screen reader
      </p>
      {isDeclining ? (
        <DeclineForm visit={visit} onBack={() => setIsDeclining(false)} onDone={onDone} />
      ) : (
        <SignForm
          documentHash={page.documentHash}
          askedName={page.name}
          isAtEnd={isAtEnd}
          onSign={async (signed) => onDone(await apiClient.signatures.signing.sign.mutate({ ...visit, ...signed }))}
          onDecline={() => setIsDeclining(true)}
        />
      )}
    </>
  );
}

const putFocus = (heading: HTMLElement | null): void => heading?.focus();

const dayOf = (instant: string): string => new Date(instant).toLocaleDateString(undefined, { dateStyle: "long" });
