// What one person's many calls cost everybody else, in a practice in full use.
import { z } from "zod";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { withDemo } from "./answers-data.ts";
import type { Figure } from "./figure.ts";
import { CALL_FLOODS } from "./hold-floods.ts";
import { figureOf, measured, startWatched } from "./hold-measure.ts";

const listSchema = z.object({
  result: z.object({ data: z.object({ items: z.tuple([z.object({ id: z.string() })], z.unknown()) }) }),
});
const OTHER = "hugh@quillfeather.example.org";
const MEASURES = ["loop", "memory", "list", "health"] as const;

export const HOLD_CALLS = Object.keys(CALL_FLOODS).flatMap((kind) =>
  MEASURES.map((measure) => `hold.${kind}.${measure}`),
);

/** For each kind of call the worst while its owner makes very many of them, for another person of the practice. */
export async function benchHoldCalls(names: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, attack] of Object.entries(CALL_FLOODS)) {
    if (!names.some((name) => name.startsWith(`hold.${kind}.`))) continue;
    await withDemo("tenth", async (dir) => {
      const product = await startWatched(dir);
      const { url } = product;
      try {
        const cookie = headerOf(await signIn(url));
        const other = { headers: { cookie: headerOf(await signIn(url, OTHER)) } };
        const list = await answered(`${url}/trpc/clients.list?input=%7B%7D`, { headers: { cookie } });
        const [first] = listSchema.parse(JSON.parse(list)).result.data.items;
        const look = {
          list: () => answered(`${url}/trpc/clients.list?input=%7B%7D`, other),
          health: () => answered(`${url}/health`),
        };
        const found = await measured(product, dir, look, () => attack({ url, cookie, clientId: first.id }));
        for (const measure of MEASURES) figures.push(figureOf(kind, measure, found[measure]));
      } finally {
        await product.stop();
      }
    });
  }
  return figures;
}

const headerOf = (cookies: Awaited<ReturnType<typeof signIn>>): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

async function answered(url: string, options: RequestInit = {}): Promise<string> {
  const reply = await fetch(url, options);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} was answered with ${reply.status}`);
  return text;
}
