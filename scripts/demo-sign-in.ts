import { spawn } from "node:child_process";
import path from "node:path";
import { z } from "zod";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";

const DEMO = path.resolve(import.meta.dirname, "demo.ts");
const listSchema = z.object({
  result: z.object({ data: z.object({ items: z.array(z.object({ id: z.string() })).min(1) }) }),
});

export interface Cookie {
  name: string;
  value: string;
}

/** Fills a data directory with the demonstration practice. */
export function fillWithDemo(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [DEMO], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`the demonstration data could not be made (${code})`)),
    );
  });
}

/** Signs in over HTTP and gives the cookies that a browser would now hold. */
export async function signIn(url: string, email = DEMO_EMAIL, password = DEMO_PASSWORD): Promise<Cookie[]> {
  const response = await fetch(`${url}/trpc/auth.signIn`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`sign-in failed: ${await response.text()}`);
  return response.headers.getSetCookie().map((line) => {
    const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
    return { name, value };
  });
}

/** The id of a client to look at. */
export async function sampleOf(url: string, cookies: Cookie[]): Promise<string> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const response = await fetch(`${url}/trpc/clients.list?input=%7B%7D`, { headers: { cookie } });
  const list = listSchema.parse(await response.json());
  return list.result.data.items[0]?.id ?? "";
}
