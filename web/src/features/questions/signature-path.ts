/** The box that a signature is drawn in, in thousandths of its width. */
export const SIGNATURE_BOX = { width: 1000, height: 320 } as const;

/** A stroke of points x, y as the path of a drawing. */
export function pathOf(points: readonly number[]): string {
  const pairs = Array.from(
    { length: Math.floor(points.length / 2) },
    (_, at) => `${points[2 * at]} ${points[2 * at + 1]}`,
  );
  return pairs.length > 0 ? `M${pairs.join("L")}` : "";
}
