// Loaded before a product that is started by a test: its clock is off by as many milliseconds as stand in the file that
// CLOCK_FILE names, which may change while it runs. What counts time without a clock (performance.now, timers) is not.
import { readFileSync } from "node:fs";

const LOOK_MS = 20;
const RealDate = Date;
let offMs = 0;
let lookedAt = -LOOK_MS;

function present(): number {
  const at = performance.now();
  if (at - lookedAt >= LOOK_MS) {
    lookedAt = at;
    offMs = Number(readFileSync(process.env["CLOCK_FILE"] ?? "", "utf8"));
  }
  return RealDate.now() + offMs;
}

const moved: DateConstructor = new Proxy(RealDate, {
  apply: () => new RealDate(present()).toString(),
  construct: (target, values, newTarget): Date =>
    Reflect.construct(target, values.length === 0 ? [present()] : values, newTarget === moved ? target : newTarget),
  get: (target, name) => (name === "now" ? present : Reflect.get(target, name)),
});
RealDate.prototype.constructor = moved;
globalThis.Date = moved;
