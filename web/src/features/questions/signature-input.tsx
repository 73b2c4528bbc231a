import { type AnswerValue, type DrawnSignature, isSignature } from "@app/shared/form-answers";
import { SIGNATURE_POINTS_MAX, SIGNATURE_STROKES_MAX } from "@app/shared/form-limits";
import { type PointerEvent, useId, useState } from "react";
import type { Of } from "./question-props.ts";
import { pathOf, SIGNATURE_BOX } from "./signature-path.ts";

const EMPTY: DrawnSignature = { name: "", strokes: [] };
/** Points that lie closer together say nothing. */
const STEP_MIN = 4;

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

interface PadProps {
  labelledBy: string;
  strokes: number[][];
  onStrokes: (strokes: number[][]) => void;
}

function SignaturePad({ labelledBy, strokes, onStrokes }: PadProps) {
  const [stroke, setStroke] = useState<number[]>([]);
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const scaled = (distance: number) =>
      Math.round(Math.min(Math.max((distance / width) * SIGNATURE_BOX.width, 0), 1000));
    return [scaled(clientX - left), scaled(clientY - top)] as const;
  };
  const begin = (event: PointerEvent<SVGSVGElement>) => {
    if (strokes.length >= SIGNATURE_STROKES_MAX) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setStroke([...pointOf(event)]);
  };
  const draw = (event: PointerEvent<SVGSVGElement>) => {
    if (stroke.length === 0 || stroke.length > SIGNATURE_POINTS_MAX / 10) return;
    const [x, y] = pointOf(event);
    const [lastX = 0, lastY = 0] = stroke.slice(-2);
    if (Math.hypot(x - lastX, y - lastY) >= STEP_MIN) setStroke([...stroke, x, y]);
  };
  const end = () => {
    if (stroke.length >= 4) onStrokes([...strokes, stroke]);
    setStroke([]);
  };
  return (
    <svg
      className="form-signature"
      role="img"
      aria-labelledby={labelledBy}
      viewBox={`0 0 ${SIGNATURE_BOX.width} ${SIGNATURE_BOX.height}`}
      onPointerDown={begin}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {[...strokes, stroke].map((points, index) => (
        <path key={index} d={pathOf(points)} />
      ))}
    </svg>
  );
}
