import { type DrawnSignature, isEmptyAnswer } from "@app/shared/form-answers";
import { isAnotherName } from "@app/shared/asked-names";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { messageOf } from "../../core/errors.ts";
import { CheckField } from "../../ui/check-field.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { SignaturePad } from "../questions/signature-pad.tsx";
import "./sign-form.css";

/** What somebody signs with, after they read and agreed. */
export interface Signed {
  documentHash: string;
  mark: DrawnSignature;
  hasSeenAll: true;
  agrees: true;
}

interface Props {
  documentHash: string;
  /** By which name they were asked to sign. */
  askedName: string;
  /** Whether the end of the document was on the screen. */
  isAtEnd: boolean;
  onSign: (signed: Signed) => Promise<void>;
  /** Says no instead; null where there is another way to. */
  onDecline: (() => void) | null;
  /** Something stands here that closing would throw away. */
  onTyped?: () => void;
}

const UNSIGNED: DrawnSignature = { name: "", strokes: [] };

/** A name that is typed, or a drawing, with what has to be said before it. */
export function SignForm({ documentHash, askedName, isAtEnd, onSign, onDecline, onTyped }: Props) {
  const [mark, setMark] = useState(UNSIGNED);
  const [hasRead, setHasRead] = useState(false);
  const [agrees, setAgrees] = useState(false);
  const [isOwnName, setIsOwnName] = useState(false);
  const [failure, setFailure] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const padId = useId();
  // What was missing may be there now.
  const changing =
    <Value,>(change: (value: Value) => void) =>
    (value: Value) => {
      setFailure("");
      onTyped?.();
      change(value);
    };
  const [onMark, onRead, onAgree] = [changing(setMark), changing(setHasRead), changing(setAgrees)];
  const onOwnName = changing(setIsOwnName);
  const isAnother = isAnotherName(mark.name, askedName);
  const missing = whatIsMissing({ isAtEnd, hasRead, mark, isNamed: !isAnother || isOwnName, agrees });
  async function sign() {
    if (missing) return setFailure(missing);
    setIsBusy(true);
    setFailure("");
    try {
      await onSign({ documentHash, mark, hasSeenAll: true, agrees: true });
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
      <NameField name={mark.name} onName={(name) => onMark({ ...mark, name })} />
      {isAnother && (
        <CheckField
          label={`I am ${askedName}, and this is my name too`}
          checked={isOwnName}
          onChange={({ currentTarget }) => onOwnName(currentTarget.checked)}
        />
      )}
      <p id={padId} className="sign-hint">
        Or draw your signature with a finger, a pen or the mouse. Your typed name or a drawing is enough.
      </p>
      <SignaturePad labelledBy={padId} strokes={mark.strokes} onStrokes={(strokes) => onMark({ ...mark, strokes })} />
      {mark.strokes.length > 0 && (
        <Button variant="subtle" onClick={() => onMark({ ...mark, strokes: [] })}>
          Clear the drawing
        </Button>
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
        {onDecline && (
          <Button variant="subtle" size="lg" onClick={onDecline}>
            I do not want to sign
          </Button>
        )}
      </div>
    </section>
  );
}

function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const id = useId();
  return (
    <>
      <label className="sign-label" htmlFor={id}>
        Your full name
      </label>
      <input
        id={id}
        className="sign-name"
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => onName(currentTarget.value)}
      />
    </>
  );
}

interface Done {
  isAtEnd: boolean;
  hasRead: boolean;
  mark: DrawnSignature;
  /** By the name that they were asked by, or another of theirs. */
  isNamed: boolean;
  agrees: boolean;
}

/** What to do first; empty where it can be signed. */
function whatIsMissing({ isAtEnd, hasRead, mark, isNamed, agrees }: Done): string {
  if (!isAtEnd) return "Read the document to its end first: scroll down in it, or open it by itself.";
  if (!hasRead) return "Tick that you have read the document.";
  if (isEmptyAnswer(mark)) return "Type your name, or draw your signature.";
  if (!isNamed) return "Type the name by which you were asked to sign, or tick that this is your name too.";
  return agrees ? "" : "Tick that you agree to sign electronically.";
}
