// Two processes of the product on one database, which issue invoices of one practice at once.
import { newId } from "@app/server/core/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { ProductProcess } from "../../scripts/product-process.ts";
import { aLine } from "../support/server/invoiced.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aCaseInput, aClient } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp, setUp } from "../support/server/product.ts";
import { send } from "../support/server/raw-http.ts";

const AT_ONCE = 50;

const madeSchema = z.object({
  id: z.string(),
  version: z.number(),
  number: z.string().optional(),
});
const answerSchema = z.object({ result: z.object({ data: madeSchema }) });

let products: ProductProcess[];
let cookie: string;

beforeAll(async () => {
  const environment = { DATA_DIR: aPlace(), MONGODB_URI: anOwnDatabase() };
  const first = await aProduct(environment);
  // The same data directory, because it holds the key that signs people in.
  products = [first, await aProduct(environment)];
  cookie = await setUp(first);
});
afterAll(cleanUp);

async function ask(index: number, call: string, input: object): Promise<z.infer<typeof madeSchema>> {
  const { url } = products[index % products.length] ?? { url: "" };
  const answer = await send(`${url}/trpc/${call}`, {
    method: "POST",
    headers: { origin: url, cookie, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  expect({ status: answer.status, text: answer.status === 200 ? "" : answer.text }).toEqual({ status: 200, text: "" });
  return answerSchema.parse(JSON.parse(answer.text)).result.data;
}

test(
  `invoices.issue: ${AT_ONCE} at once in two processes are numbered without a gap or a double`,
  { timeout: 120_000 },
  async () => {
    const client = await ask(0, "clients.create", aClient());
    const theCase = await ask(0, "casework.create", aCaseInput([client.id]));
    const draft = () => ({
      caseId: theCase.id,
      payer: { kind: "legal_aid" },
      lines: [aLine()],
      notes: "",
      id: newId(),
    });
    const drafts = [];
    for (let index = 0; index < AT_ONCE; index += 1) drafts.push(await ask(index, "invoices.create", draft()));
    const issued = await Promise.all(
      drafts.map(({ id, version }, index) => ask(index, "invoices.issue", { id, version })),
    );
    const numbers = issued.map(({ number }) => Number(number)).toSorted((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: AT_ONCE }, (_, index) => index + 1));
  },
);
