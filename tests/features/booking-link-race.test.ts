// Two processes of the product on one database, and 200 people outside who want the same time of a booking link.
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "@app/server/core/clock";
import { RETRY_SECONDS } from "@app/server/core/http-security";
import { newToken } from "@app/server/core/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ProductProcess } from "../../scripts/product-process.ts";
import { aLink } from "../support/server/booked.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aPlace, aProduct, cleanUp, setUp } from "../support/server/product.ts";
import { type RawAnswer, send } from "../support/server/raw-http.ts";

const ROUNDS = Number(process.env["BOOKING_ROUNDS"] ?? 1);
const AT_ONCE = 200;
const ROUND_LIMIT_MS = 60_000;
const FORM_AGE_MS = 3200;
const TOOK_TOO_LONG = 503;

const answerOf = <Schema extends z.ZodType>(schema: Schema) => z.object({ result: z.object({ data: schema }) });
const statusSchema = answerOf(z.object({ user: z.object({ ownerId: z.string() }) }));
const linkSchema = answerOf(z.object({ publicId: z.string() }));
const pageSchema = answerOf(z.object({ formToken: z.string() }));
const slotsSchema = answerOf(z.object({ items: z.array(z.string()) }));
const refusalSchema = z.object({ error: z.object({ message: z.string(), data: z.object({ code: z.string() }) }) });

let products: ProductProcess[];
let publicId: string;

beforeAll(async () => {
  // Each visitor comes by a network of their own.
  const environment = { DATA_DIR: aPlace(), MONGODB_URI: anOwnDatabase(), TRUSTED_PROXIES: "loopback" };
  const first = await aProduct(environment);
  products = [first, await aProduct(environment)];
  const cookie = await setUp(first);
  const status = await send(`${first.url}/trpc/auth.status`, { headers: { cookie } });
  const { ownerId } = statusSchema.parse(JSON.parse(status.text)).result.data.user;
  const made = await send(`${first.url}/trpc/bookings.createLink`, {
    method: "POST",
    headers: { origin: first.url, cookie, "content-type": "application/json" },
    body: JSON.stringify(aLink(ownerId)),
  });
  publicId = linkSchema.parse(JSON.parse(made.text)).result.data.publicId;
});
afterAll(cleanUp);

/** In each round others come: one network may not try to book without end. */
const headersOf = (index: number, round: number) => ({ "x-forwarded-for": `${11 + (round % 100)}.${index % 250}.0.7` });

function ask({ url }: ProductProcess, call: string, input: unknown, index = 0, round = 0): Promise<RawAnswer> {
  const query = encodeURIComponent(JSON.stringify(input));
  return send(`${url}/trpc/${call}?input=${query}`, { headers: headersOf(index, round) });
}

async function freeTimes(): Promise<string[]> {
  const { text } = await ask(productFor(0), "bookings.slots", { id: publicId, mediatorId: null });
  return slotsSchema.parse(JSON.parse(text)).result.data.items;
}

async function formTokens(round: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < AT_ONCE; index += 1) {
    const { text } = await ask(productFor(index), "bookings.page", { id: publicId }, index, round);
    tokens.push(pageSchema.parse(JSON.parse(text)).result.data.formToken);
  }
  return tokens;
}

/** As a visitor does who was told that it took too long: the same is sent again when it is time to, and answered as the first time. */
async function book(formToken: string, startsAt: string, index: number, round: number): Promise<RawAnswer> {
  const { url } = productFor(index);
  const headers = { ...headersOf(index, round), origin: url, "content-type": "application/json" };
  const body = JSON.stringify({
    id: publicId,
    version: 0,
    mediatorId: null,
    startsAt,
    holder: newToken(),
    timeZone: "Europe/London",
    person: { name: `Visitor ${index}`, email: `${newToken()}@example.org`, phone: "07700 900142" },
    answers: [],
    formToken,
    website: "",
  });
  for (;;) {
    const answer = await send(`${url}/trpc/bookings.book`, { method: "POST", headers, body });
    if (answer.status !== TOOK_TOO_LONG) return answer;
    await sleep(RETRY_SECONDS * SECOND_MS);
  }
}

const codeOf = ({ status, text }: RawAnswer): string => {
  if (status === 200) return "booked";
  const refused = refusalSchema.safeParse(JSON.parse(text));
  return `${status} ${refused.success ? refused.data.error.data.code : text.slice(0, 200)}`;
};

const counted = (codes: string[]): Record<string, number> =>
  Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]));

test(
  `bookings.book: ${AT_ONCE} at once for one time in two processes, ${ROUNDS} times, one books it and the others get the next free ones`,
  { timeout: ROUNDS * ROUND_LIMIT_MS + ROUND_LIMIT_MS },
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [startsAt = "", ...others] = await freeTimes();
      const tokens = await formTokens(round);
      await sleep(FORM_AGE_MS);
      const answers = await Promise.all(tokens.map((token, index) => book(token, startsAt, index, round)));
      const codes = answers.map(codeOf);
      expect(counted(codes), `round ${round + 1}`).toEqual({ booked: 1, "409 CONFLICT": AT_ONCE - 1 });
      for (const { status, text } of answers)
        if (status !== 200)
          expect(refusalSchema.parse(JSON.parse(text)).error.message).toContain("The next free ones are: ");
      const left = await freeTimes();
      expect(left).not.toContain(startsAt);
      expect(left.length).toBeGreaterThanOrEqual(others.length - 3);
    }
  },
);

function productFor(index: number): ProductProcess {
  const product = products[index % products.length];
  if (!product) throw new Error("no process runs");
  return product;
}
