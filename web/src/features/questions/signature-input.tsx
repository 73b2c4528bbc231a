import { type AnswerValue, type DrawnSignature, isSignature } from "@app/shared/form-answers";
import { useId } from "react";
import type { Of } from "./question-props.ts";
import { SignaturePad } from "./signature-pad.tsx";

const EMPTY: DrawnSignature = { name: "", strokes: [] };
const signatureOf = (answer: AnswerValue | undefined): DrawnSignature =>
  answer !== undefined && isSignature(answer) ? answer : EMPTY;

/** A name that is typed is a signature, and so is a drawing. */
export function SignatureInput({ field, id, answer, problems, describedBy, onAnswer }: Of<"signature">) {
  const { name, strokes } = signatureOf(answer);
  const nameId = useId();
  const change = (next: DrawnSignature) => onAnswer(next.name === "" && next.strokes.length === 0 ? null : next);
  return (
    <>
      {field.text && <p className="form-consent">{field.text}</p>}
      <label className="form-part" htmlFor={id}>
        <span>Your full name</span>
      </label>
      <input
        id={id}
        className="form-input"
        autoComplete="name"
        maxLength={100}
        value={name}
        aria-describedby={describedBy}
        aria-invalid={Object.keys(problems).length > 0 || undefined}
        onChange={({ currentTarget }) => change({ name: currentTarget.value, strokes })}
      />
      {problems["name"] && <p className="form-error">{problems["name"]}</p>}
      <p id={nameId} className="form-help">
        Or draw your signature with a finger, a pen or the mouse. Your typed name or a drawing is enough.
      </p>
      <SignaturePad labelledBy={nameId} strokes={strokes} onStrokes={(drawn) => change({ name, strokes: drawn })} />
      {strokes.length > 0 && (
        <button type="button" className="form-small-button" onClick={() => change({ name, strokes: [] })}>
          Clear the drawing
        </button>
      )}
    </>
  );
}
