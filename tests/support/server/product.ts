// The product as its own process, for tests of what an operator and the machine do to it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type ProductProcess, startProduct } from "../../../scripts/product-process.ts";
import { PASSWORD } from "./people.ts";
import { send } from "./raw-http.ts";

export const MAIN = path.resolve(import.meta.dirname, "../../../server/src/main.ts");
export const EMAIL = "ines@example.org";

const places: string[] = [];
const started: ProductProcess[] = [];

export function aPlace(): string {
  const place = mkdtempSync(path.join(tmpdir(), "evenhand-process-"));
  places.push(place);
  return place;
}

export async function aProduct(environment: Record<string, string>): Promise<ProductProcess> {
  const product = await startProduct(environment);
  started.push(product);
  return product;
}

/** Stops every product of this file and removes their data. */
export async function cleanUp(): Promise<void> {
  await Promise.all(started.map((product) => product.stop()));
  for (const place of places) rmSync(place, { recursive: true, force: true });
}

export const post = ({ url }: ProductProcess, call: string, body: unknown) =>
  send(`${url}/trpc/${call}`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Sets the installation up and gives the cookie of its owner. */
export async function setUp(product: ProductProcess): Promise<string> {
  const person = { firstName: "Ines", lastName: "Marchbank", email: EMAIL, password: PASSWORD };
  const practice = { practiceName: "Quillfeather", region: "england_wales", mediatorType: "family" };
  const { headers } = await post(product, "auth.setUp", { ...person, ...practice });
  return /^[^;]+/.exec(headers["set-cookie"]?.[0] ?? "")?.[0] ?? "no cookie";
}

export const profileStatus = async ({ url }: ProductProcess, cookie: string): Promise<number> =>
  (await send(`${url}/trpc/users.profile`, { headers: { cookie } })).status;

export const exitOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.once("exit", resolve);
  });

export function enginePid(dataDir: string): number {
  const record: unknown = JSON.parse(readFileSync(path.join(dataDir, "engine.json"), "utf8"));
  return typeof record === "object" && record !== null && "pid" in record ? Number(record.pid) : 0;
}

/** Starts where it cannot start, and says how it ended. */
export async function failToStart(environment: Record<string, string>, who: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "error",
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
    ...who,
  });
  const [code, complaint] = await Promise.all([exitOf(child), text(child.stderr)]);
  return { code, complaint };
}
