// The event streams of one person: they rest for good, so there are only so many, and others lose none by them.
import { get, type IncomingMessage } from "node:http";
import { STREAMS_OF_ONE } from "@app/server/core/streams";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aPlace, aProduct, cleanUp, setUp } from "../support/server/product.ts";

let url: string;
let cookie: string;
beforeAll(async () => {
  const product = await aProduct({ DATA_DIR: aPlace() });
  url = product.url;
  cookie = await setUp(product);
}, 120_000);
afterAll(cleanUp);

function aStream(): Promise<IncomingMessage> {
  const headers = { accept: "text/event-stream", cookie };
  return new Promise((resolve, reject) => {
    get(`${url}/trpc/access.onChange`, { headers, agent: false }, (stream) => {
      stream.on("error", () => {});
      stream.resume();
      resolve(stream);
    }).once("error", reject);
  });
}

test("S75 streams: whoever opens more than their pages need loses the first of them, and keeps the others", async () => {
  const streams: IncomingMessage[] = [];
  for (let opened = 0; opened < STREAMS_OF_ONE; opened += 1) streams.push(await aStream());
  expect(streams.filter(({ destroyed }) => destroyed)).toEqual([]);
  const late = [await aStream(), await aStream()];
  const gone = () => streams.filter(({ destroyed }) => destroyed).length;
  await vi.waitFor(() => expect(gone()).toBe(2), { timeout: 10_000 });
  expect(streams.slice(0, 2).every(({ destroyed }) => destroyed)).toBe(true);
  expect(late.some(({ destroyed }) => destroyed)).toBe(false);
  for (const stream of [...streams, ...late]) stream.destroy();
});
