import { pathOf, SIGNATURE_BOX } from "./signature-path.ts";
import "./questions.css";

/** A signature as it was drawn, where it is read. */
export const DrawnSignature = ({ strokes }: { strokes: readonly (readonly number[])[] }) => (
  <svg
    className="drawn-signature"
    role="img"
    aria-label="The signature as it was drawn"
    viewBox={`0 0 ${SIGNATURE_BOX.width} ${SIGNATURE_BOX.height}`}
  >
    {strokes.map((points, index) => (
      <path key={index} d={pathOf(points)} />
    ))}
  </svg>
);
