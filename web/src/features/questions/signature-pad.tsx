import { SIGNATURE_POINTS_MAX, SIGNATURE_STROKES_MAX } from "@app/shared/form-limits";
import { type PointerEvent, useState } from "react";
import { pathOf, SIGNATURE_BOX } from "./signature-path.ts";
import "./signature-pad.css";

/** Points that lie closer together say nothing. */
const STEP_MIN = 4;

interface PadProps {
  labelledBy: string;
  strokes: number[][];
  onStrokes: (strokes: number[][]) => void;
}

/** A box to draw a signature in, with a finger, a pen or the mouse. */
export function SignaturePad({ labelledBy, strokes, onStrokes }: PadProps) {
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
