import type { DrawnSignature } from "@app/shared/form-answers";
import type { SigningPage } from "@app/shared/signatures";
import { Button } from "@mantine/core";
import { lazy, Suspense, useCallback, useId, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";
import { CheckField } from "../../ui/check-field.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { isEmptyAnswer } from "@app/shared/form-answers";
import { SignaturePad } from "../questions/signature-pad.tsx";
import { DeclineForm } from "./decline-form.tsx";
import { documentAddress } from "./document-address.ts";

const PdfView = lazy(async () => ({ default: (await import("../../ui/pdf/pdf-view.tsx")).PdfView }));

interface Props {
  token: string;
  page: SigningPage;
  onDone: (page: SigningPage) => void;
}

/** Reads first, then signs; or says no, with or without a reason. */
export function ReadAndSign({ token, page, onDone }: Props) {
  const [isAtEnd, setIsAtEnd] = useState(false);
  const [isDeclining, setIsDeclining] = useState(false);
  const end = useCallback(() => setIsAtEnd(true), []);
  const address = documentAddress(token);
  return (
    <>
      <h1 className="plain-title">A document for you to sign</h1>
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
        <DeclineForm token={token} onBack={() => setIsDeclining(false)} onDone={onDone} />
      ) : (
        <SignForm token={token} page={page} isAtEnd={isAtEnd} onDone={onDone} onDecline={() => setIsDeclining(true)} />
      )}
    </>
  );
}

const dayOf = (instant: string): string => new Date(instant).toLocaleDateString(undefined, { dateStyle: "long" });

interface FormProps extends Props {
  isAtEnd: boolean;
  onDecline: () => void;
}

const UNSIGNED: DrawnSignature = { name: "", strokes: [] };

function SignForm({ token, page, isAtEnd, onDone, onDecline }: FormProps) {
  const [mark, setMark] = useState(UNSIGNED);
  const [hasRead, setHasRead] = useState(false);
  const [agrees, setAgrees] = useState(false);
  const [failure, setFailure] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [nameId, padId] = [useId(), useId()];
  // What was missing may be there now.
  const changing =
    <Value,>(change: (value: Value) => void) =>
    (value: Value) => {
      setFailure("");
      change(value);
    };
  const [onMark, onRead, onAgree] = [changing(setMark), changing(setHasRead), changing(setAgrees)];
  const missing = whatIsMissing({ isAtEnd, hasRead, mark, agrees });
  async function sign() {
    if (missing) return setFailure(missing);
    setIsBusy(true);
    setFailure("");
    try {
      const { documentHash } = page;
      const signed = { token, documentHash, mark, hasSeenAll: true, agrees: true } as const;
      onDone(await apiClient.signatures.signing.sign.mutate(signed));
    } catch (error) {
      setFailure(messageOf(error));
      setIsBusy(false);
    }
  }
  return (
    <section aria-label="Sign" className="sign-form">
      <CheckField
        label="I have read the document to its end"
        checked={hasRead}
        onChange={({ currentTarget }) => onRead(currentTarget.checked)}
      />
      <label className="sign-label" htmlFor={nameId}>
        Your full name
      </label>
      <input
        id={nameId}
        className="sign-name"
        autoComplete="name"
        maxLength={100}
        value={mark.name}
        onChange={({ currentTarget }) => onMark({ ...mark, name: currentTarget.value })}
      />
      <p id={padId} className="plain-small">
        Or draw your signature with a finger, a pen or the mouse. Your typed name or a drawing is enough.
      </p>
      <SignaturePad labelledBy={padId} strokes={mark.strokes} onStrokes={(strokes) => onMark({ ...mark, strokes })} />
      {mark.strokes.length > 0 && (
        <button type="button" className="plain-button" onClick={() => onMark({ ...mark, strokes: [] })}>
          Clear the drawing
        </button>
      )}
      <CheckField
        label="I agree to sign this document electronically"
        checked={agrees}
        onChange={({ currentTarget }) => onAgree(currentTarget.checked)}
      />
      {failure && <FormFailure>{failure}</FormFailure>}
      <div className="sign-actions">
        <Button size="lg" loading={isBusy} onClick={() => void sign()}>
          Sign
        </Button>
        <button type="button" className="plain-button" onClick={onDecline}>
          I do not want to sign
        </button>
      </div>
    </section>
  );
}

interface Done {
  isAtEnd: boolean;
  hasRead: boolean;
  mark: DrawnSignature;
  agrees: boolean;
}

/** What to do first; empty where it can be signed. */
function whatIsMissing({ isAtEnd, hasRead, mark, agrees }: Done): string {
  if (!isAtEnd) return "Read the document to its end first: scroll down in it, or open it by itself.";
  if (!hasRead) return "Tick that you have read the document.";
  if (isEmptyAnswer(mark)) return "Type your name, or draw your signature.";
  return agrees ? "" : "Tick that you agree to sign electronically.";
}
