// The box that a signature is drawn in, as a finger goes over it.
import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { SignaturePad } from "../../../web/src/features/questions/signature-pad.tsx";
import { draw } from "../page.tsx";

const BOX = { x: 0, y: 0, width: 500, height: 160 };
beforeEach(() => {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(DOMRect.fromRect(BOX));
  Element.prototype.setPointerCapture = () => undefined;
});

function Pad() {
  const [strokes, setStrokes] = useState<number[][]>([]);
  return (
    <>
      <span id="said">Draw your signature</span>
      <SignaturePad labelledBy="said" strokes={strokes} onStrokes={setStrokes} />
    </>
  );
}
const box = () => screen.getByRole("img", { name: "Draw your signature" });
const drawn = () => [...box().querySelectorAll("path")].flatMap((path) => path.getAttribute("d") ?? "").filter(Boolean);
const lift = () => fireEvent.pointerUp(box());
function move(...[first, ...others]: [x: number, y: number][]): void {
  const at = (point: [number, number] | undefined) => ({ clientX: point?.[0] ?? 0, clientY: point?.[1] ?? 0 });
  fireEvent.pointerDown(box(), at(first));
  for (const other of others) fireEvent.pointerMove(box(), at(other));
}

test("the box of a signature: until somebody says that they want to draw, a finger that goes over it draws nothing", () => {
  draw(<Pad />);
  move([100, 150], [100, 10]);
  lift();
  expect(drawn()).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Draw here" }));
  expect(document.activeElement).toBe(box());
  expect(screen.queryByRole("button")).toBeNull();
  move([100, 150], [100, 10]);
  lift();
  expect(drawn()).toEqual(["M200 300L200 20"]);
});

test("the box of a signature: a stroke that leaves it, when the finger goes on outside, ends at the edge", () => {
  draw(<Pad />);
  fireEvent.click(screen.getByRole("button", { name: "Draw here" }));
  move([100, 100], [100, 150], [100, 300], [200, 120]);
  lift();
  expect(drawn()).toEqual(["M200 200L200 300"]);
});
