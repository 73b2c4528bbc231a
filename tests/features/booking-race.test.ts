// Two processes of the product on one database, and 200 people who want the same hour.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ProductProcess } from "../../scripts/product-process.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aMeetingInput } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp, setUp } from "../support/server/product.ts";
import { type RawAnswer, send } from "../support/server/raw-http.ts";

const ROUNDS = Number(process.env["BOOKING_ROUNDS"] ?? 2);
const AT_ONCE = 200;
const ROUND_LIMIT_MS = 30_000;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2034, 0, 2, 9);

const statusSchema = z.object({ result: z.object({ data: z.object({ user: z.object({ ownerId: z.string() }) }) }) });
const refusalSchema = z.object({ error: z.object({ data: z.object({ code: z.string() }) }) });
const bookedSchema = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) });
const calendarSchema = z.object({
  result: z.object({ data: z.object({ meetings: z.array(z.object({ id: z.string(), status: z.string() })) }) }),
});

let products: ProductProcess[];
let cookie: string;
let mediatorId: string;

beforeAll(async () => {
  const environment = { DATA_DIR: aPlace(), MONGODB_URI: anOwnDatabase() };
  const first = await aProduct(environment);
  // The same data directory, because it holds the key that signs people in.
  products = [first, await aProduct(environment)];
  cookie = await setUp(first);
  const status = await send(`${first.url}/trpc/auth.status`, { headers: { cookie } });
  mediatorId = statusSchema.parse(JSON.parse(status.text)).result.data.user.ownerId;
});
afterAll(cleanUp);

function book({ url }: ProductProcess, startsAt: number): Promise<RawAnswer> {
  const meeting = aMeetingInput(mediatorId, { startsAt: new Date(startsAt).toISOString() });
  return send(`${url}/trpc/meetings.create`, {
    method: "POST",
    headers: { origin: url, cookie, "content-type": "application/json" },
    body: JSON.stringify(meeting),
  });
}

async function bookedAt({ url }: ProductProcess, startsAt: number) {
  const range = { from: new Date(startsAt).toISOString(), to: new Date(startsAt + DAY_MS / 4).toISOString() };
  const query = encodeURIComponent(JSON.stringify(range));
  const { text } = await send(`${url}/trpc/meetings.calendar?input=${query}`, { headers: { cookie } });
  return calendarSchema.parse(JSON.parse(text)).result.data.meetings;
}

const codeOf = ({ status, text }: RawAnswer): string => {
  if (status === 200) return "booked";
  const refused = refusalSchema.safeParse(JSON.parse(text));
  return `${status} ${refused.success ? refused.data.error.data.code : text.slice(0, 200)}`;
};

const counted = (codes: string[]): Record<string, number> =>
  Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]));

test(
  `meetings.create: ${AT_ONCE} at once for one hour in two processes, ${ROUNDS} times, one books it and the others are told`,
  { timeout: ROUNDS * ROUND_LIMIT_MS },
  async () => {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startsAt = FIRST_DAY + round * DAY_MS;
      const startedAt = performance.now();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => book(productFor(index), startsAt)),
      );
      took.push(performance.now() - startedAt);
      expect(counted(answers.map(codeOf))).toEqual({ booked: 1, "409 CONFLICT": AT_ONCE - 1 });
      const [winner] = answers.filter(({ status }) => status === 200);
      const { id } = bookedSchema.parse(JSON.parse(winner?.text ?? "")).result.data;
      for (const product of products) expect(await bookedAt(product, startsAt)).toEqual([{ id, status: "booked" }]);
    }
    console.info(
      `${ROUNDS} rounds of ${AT_ONCE}: the longest took ${Math.round(Math.max(...took))} ms, all ${Math.round(took.reduce((sum, ms) => sum + ms, 0))} ms`,
    );
  },
);

function productFor(index: number): ProductProcess {
  const product = products[index % products.length];
  if (!product) throw new Error("no process runs");
  return product;
}
