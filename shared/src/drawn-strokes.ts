// What is drawn in the box of a signature, and what is only a finger that scrolls the page or comes by. Free of zod.

/** Of the width of the box, in thousandths: what is drawn shorter is a slip of the finger and no signature. */
const DRAWN_MIN = 250;

/** Whether these strokes are a signature: one of them has a bend, or straight ones cross, as those of a cross or an H do. */
export function isDrawn(strokes: readonly unknown[]): boolean {
  const drawn = strokes.map(pointsOf);
  if (drawn.reduce((sum, points) => sum + lengthOf(points), 0) < DRAWN_MIN) return false;
  if (drawn.some(isBent)) return true;
  const lines = drawn.map(lineOf).filter((line) => lengthOf(line) >= LINE_MIN);
  return lines.some((line, index) => lines.slice(0, index).some((other) => isCrossing(line, other)));
}

type Point = readonly [x: number, y: number];

/** Of a stroke, whose points stand there as x, y, x, y. */
function pointsOf(stroke: unknown): Point[] {
  const at = Array.isArray(stroke) ? stroke.map((one) => (typeof one === "number" ? one : 0)) : [];
  return Array.from({ length: Math.floor(at.length / 2) }, (_, index) => [at[2 * index] ?? 0, at[2 * index + 1] ?? 0]);
}

const between = ([x, y]: Point, [otherX, otherY]: Point): number => Math.hypot(x - otherX, y - otherY);

const lengthOf = (points: readonly Point[]): number =>
  points.reduce((sum, point, index) => sum + between(point, points[index - 1] ?? point), 0);

/** How a finger trembles is no bend. */
const BENT_STEP = 30;
/** How far from a straight line, and how much longer than the straight way: a thumb that scrolls goes in a slight arc. */
const BENT_MIN = 30;
const BENT_LONGER = 1.1;

type Line = readonly [from: Point, to: Point];

/** The straight way of a stroke: to where it is farthest from its beginning. */
function lineOf(points: readonly Point[]): Line {
  const [first = [0, 0]] = points;
  return [first, points.reduce((far, point) => (between(point, first) > between(far, first) ? point : far), first)];
}

/** Twice the area between a line and a point: on which side of it the point is, and how far off. */
const aside = ([[fromX, fromY], [toX, toY]]: Line, [x, y]: Point): number =>
  (toX - fromX) * (y - fromY) - (x - fromX) * (toY - fromY);

/** A finger that scrolls the page, or comes by, draws a line that is nearly straight. */
function isBent(points: readonly Point[]): boolean {
  const [first = [0, 0]] = points;
  const rough = [first];
  for (const point of points) if (between(point, rough.at(-1) ?? first) >= BENT_STEP) rough.push(point);
  const line = lineOf(rough);
  const farthest = lengthOf(line);
  return (
    lengthOf(rough) >= farthest * BENT_LONGER &&
    rough.some((point) => Math.abs(aside(line, point)) / farthest >= BENT_MIN)
  );
}

/** A slip of the finger across a swipe is no cross. */
const LINE_MIN = 60;
/** The sine of the least angle between two lines that cross: a thumb that scrolls twice goes nearly the same way again. */
const CROSSING_MIN = 0.5;
/** How near to the other the end of a line comes where both meet there, as those of a V do. */
const MEETING_MAX = 30;

function isCrossing(one: Line, other: Line): boolean {
  const [from, to] = other;
  const turn = Math.abs(aside(one, to) - aside(one, from)) / (lengthOf(one) * lengthOf(other));
  if (turn < CROSSING_MIN) return false;
  const isAcross = (line: Line, [start, end]: Line) => aside(line, start) * aside(line, end) < 0;
  if (isAcross(one, other) && isAcross(other, one)) return true;
  return other.some((end) => isNear(one, end)) || one.some((end) => isNear(other, end));
}

/** Whether a point is where a line is, or hardly beside it. */
function isNear(line: Line, point: Point): boolean {
  const [from, to] = line;
  const length = lengthOf(line);
  const along = ((to[0] - from[0]) * (point[0] - from[0]) + (to[1] - from[1]) * (point[1] - from[1])) / length;
  const isBeside = along >= 0 && along <= length && Math.abs(aside(line, point)) / length <= MEETING_MAX;
  return isBeside || line.some((end) => between(end, point) <= MEETING_MAX);
}
