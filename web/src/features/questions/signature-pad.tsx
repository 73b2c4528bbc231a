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

/** The button that was pressed is gone. */
const takeFocus = (box: SVGSVGElement | null): void => box?.focus({ preventScroll: true });

/**
 * A box to draw a signature in, with a finger, a pen or the mouse. Until somebody says that they want to draw, it scrolls
 * like the rest of the page.
 */
export function SignaturePad({ labelledBy, strokes, onStrokes }: PadProps) {
  const [isDrawing, setIsDrawing] = useState(false);
  const [stroke, setStroke] = useState<number[]>([]);
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const scaled = (distance: number) => Math.round((distance / width) * SIGNATURE_BOX.width);
    return [scaled(clientX - left), scaled(clientY - top)] as const;
  };
  const begin = (event: PointerEvent<SVGSVGElement>) => {
    if (!isDrawing || strokes.length >= SIGNATURE_STROKES_MAX) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    if (isInBox(point)) setStroke([...point]);
  };
  const end = () => {
    if (stroke.length >= 4) onStrokes([...strokes, stroke]);
    setStroke([]);
  };
  const draw = (event: PointerEvent<SVGSVGElement>) => {
    if (stroke.length === 0 || stroke.length > SIGNATURE_POINTS_MAX / 10) return;
    const [x, y] = pointOf(event);
    if (!isInBox([x, y])) return end();
    const [lastX = 0, lastY = 0] = stroke.slice(-2);
    if (Math.hypot(x - lastX, y - lastY) >= STEP_MIN) setStroke([...stroke, x, y]);
  };
  return (
    <div className="form-signature-pad">
      <svg
        ref={isDrawing ? takeFocus : undefined}
        tabIndex={-1}
        data-drawing={isDrawing || undefined}
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
      {!isDrawing && (
        <button type="button" className="form-signature-start" onClick={() => setIsDrawing(true)}>
          {strokes.length > 0 ? "Go on drawing" : "Draw here"}
        </button>
      )}
    </div>
  );
}

const isInBox = ([x, y]: readonly [number, number]): boolean =>
  x >= 0 && x <= SIGNATURE_BOX.width && y >= 0 && y <= SIGNATURE_BOX.height;
