import { spawn } from "node:child_process";
import path from "node:path";
import { z } from "zod";
import { DEMO_EMAIL, DEMO_PASSWORD } from "./demo-account.ts";

const DEMO = path.resolve(import.meta.dirname, "demo.ts");
const answer = <Data extends z.ZodType>(data: Data) => z.object({ result: z.object({ data }) });
const parties = z.array(z.object({ clientId: z.string() })).min(1);
const casesSchema = answer(z.object({ items: z.array(z.object({ id: z.string(), parties })).min(1) }));
const linksSchema = answer(z.object({ items: z.array(z.object({ publicId: z.string() })) }));
const rowsSchema = answer(z.object({ items: z.array(z.object({ id: z.string() })) }));
const signersSchema = z.array(z.object({ kind: z.string(), id: z.string(), state: z.string() }));
const signatureSchema = z.object({ id: z.string(), status: z.string(), signers: signersSchema });
const signaturesSchema = answer(z.object({ items: z.array(signatureSchema) }));
const addressSchema = answer(z.object({ address: z.string() }));

export interface Cookie {
  name: string;
  value: string;
}

/** Fills a data directory with the demonstration practice. */
export function fillWithDemo(dataDir: string, size = "small"): Promise<void> {
  const child = spawn(process.execPath, [DEMO, "--size", size], {
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

/** What there is to look at: a client with a case in mediation, and that case's session, a form and a lead form, and a template. */
export interface Sample {
  clientId: string;
  sessionId: string;
  /** By which anybody books. */
  bookingId: string;
  formId: string;
  leadFormId: string;
  textId: string;
  /** Where they are filled in. */
  formPath: string;
  leadFormPath: string;
  /** Where somebody signs. */
  signPath: string;
}

export async function sampleOf(url: string, cookies: Cookie[]): Promise<Sample> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const ask = async (path: string, input: object): Promise<unknown> => {
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    return (await fetch(`${url}/trpc/${path}?${query}`, { headers: { cookie } })).json();
  };
  const firstForm = async (kind: string) => {
    const forms = rowsSchema.parse(await ask("forms.list", { page: 1, search: "", kind }));
    return forms.result.data.items[0]?.id ?? "";
  };
  const pathOf = async (id: string) => {
    const { result } = addressSchema.parse(await ask("submissions.generalAddress", { id }));
    return new URL(result.data.address).pathname;
  };
  const [formId, leadFormId] = [await firstForm("intake"), await firstForm("lead")];
  const texts = rowsSchema.parse(await ask("documentTemplates.list", { page: 1, search: "", kind: "mou" }));
  const textId = texts.result.data.items[0]?.id ?? "";
  const cases = casesSchema.parse(await ask("cases.list", { page: 1, search: "", status: "in_mediation" }));
  const show = async (id: string, signerId: string): Promise<unknown> => {
    const body = JSON.stringify({ id, signerId });
    const headers = { cookie, origin: url, "content-type": "application/json" };
    return (await fetch(`${url}/trpc/signatures.showLink`, { method: "POST", headers, body })).json();
  };
  for (const { id, parties: people } of cases.result.data.items) {
    const sessions = rowsSchema.parse(await ask("sessions.ofCase", { id }));
    const [session] = sessions.result.data.items;
    if (!session) continue;
    const links = linksSchema.parse(await ask("bookings.listLinks", { page: 1 }));
    const bookingId = links.result.data.items[0]?.publicId ?? "";
    const paths = { formPath: await pathOf(formId), leadFormPath: await pathOf(leadFormId) };
    const signPath = await signPathOf({ ask, show });
    const ids = { sessionId: session.id, bookingId, formId, leadFormId, textId };
    return { clientId: people[0]?.clientId ?? "", ...ids, ...paths, signPath };
  }
  throw new Error("no case of the demonstration has a session");
}

interface Asking {
  ask: (path: string, input: object) => Promise<unknown>;
  show: (id: string, signerId: string) => Promise<unknown>;
}

/** Of the first document that somebody has still to sign; empty where there is none. */
async function signPathOf({ ask, show }: Asking): Promise<string> {
  const pages = [await ask("cases.list", { page: 1, search: "" }), await ask("cases.list", { page: 2, search: "" })];
  const cases = pages.flatMap((page) => casesSchema.parse(page).result.data.items);
  for (const { clientId } of cases.flatMap(({ parties: people }) => people)) {
    const { result } = signaturesSchema.parse(await ask("signatures.list", { clientId, page: 1 }));
    const open = result.data.items.find(({ status }) => status === "sent" || status === "partly_signed");
    const signer = open?.signers.find(({ kind, state }) => kind === "party" && state !== "signed");
    if (!open || !signer) continue;
    return new URL(addressSchema.parse(await show(open.id, signer.id)).result.data.address).pathname;
  }
  return "";
}
