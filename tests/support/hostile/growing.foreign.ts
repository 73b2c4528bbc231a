// Content that makes whoever reads it grow without end, each in another way.
import { foreignWork } from "@app/server/core/foreign-work";
import { z } from "zod";

export const growingSchema = z.enum(["array", "map", "set", "text", "split", "json", "buffers", "objects", "never"]);
export type Growing = z.infer<typeof growingSchema>;

const MANY = 2 ** 24;
const commas = () => ",".repeat(MANY);

const ways: Record<Growing, () => unknown> = {
  array() {
    const items: number[][] = [];
    for (;;) for (let at = 0; at < MANY; at++) items.push([at]);
  },
  map: () => new Map(Array.from({ length: MANY }, (_, at) => [at, String(at)])),
  set: () => new Set(Array.from({ length: MANY }, (_, at) => `word ${at}`)),
  text() {
    let text = "ä";
    for (;;) text = Array.from(`${text}${text}`).join("");
  },
  split: () => [...Array(64).keys()].map(() => commas().split(",")),
  json: () => JSON.parse(`[${"[],".repeat(MANY)}[]]`),
  buffers() {
    const parts: Buffer[] = [];
    for (;;) parts.push(Buffer.alloc(2 ** 20, 1));
  },
  objects() {
    const things: object[] = [];
    for (;;) things.push({ [`key ${things.length}`]: Math.random() });
  },
  never() {
    for (;;);
  },
};

export const work = foreignWork(growingSchema, (way): number => {
  ways[way]();
  return 0;
});
