// Aurinko: stands between the product and mailboxes where one signs in on the provider's own page.
import { cutText } from "@app/shared/cut-text";
import type { MailSignIn } from "@app/shared/mailboxes";
import { z } from "zod";
import { outOfTurn } from "../../core/call-turns.ts";
import { publicUrl, settings } from "../../core/settings.ts";

const LIMIT_MS = 4000;
const SCOPES = "Mail.Read Mail.Send";
// Mailboxes of one's own never go this way, so no account of that kind is taken.
const SERVICE_TYPES = ["Google", "Office365", "EWS", "Zoho", "iCloud"] as const;

const tokenSchema = z.object({
  accountId: z.union([z.number(), z.string()]).transform(String),
  accessToken: z.string().min(1),
});
const accountSchema = z.object({
  email: z.email(),
  serviceType: z.enum(SERVICE_TYPES),
  authScopes: z.array(z.string()).nullish(),
  tokenStatus: z.string().nullish(),
});
export type AurinkoAccount = z.infer<typeof accountSchema>;

/** It answered, and refused. */
export class AurinkoRefusal extends Error {
  status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const isAurinkoConfigured = (): boolean =>
  Boolean(settings().AURINKO_CLIENT_ID && settings().AURINKO_CLIENT_SECRET);

/** Where a person signs in; the provider sends them back with this state. */
export function signInUrl(serviceType: MailSignIn, state: string): string {
  const url = new URL("/v1/auth/authorize", settings().AURINKO_API_URL);
  url.search = new URLSearchParams({
    clientId: settings().AURINKO_CLIENT_ID ?? "",
    serviceType,
    scopes: SCOPES,
    responseType: "code",
    returnUrl: `${publicUrl()}/v1/auth/callback`,
    state,
  }).toString();
  return url.href;
}

/** Takes the code of a sign-in for the account's own token. */
export async function exchangeCode(code: string): Promise<z.infer<typeof tokenSchema>> {
  const { AURINKO_CLIENT_ID = "", AURINKO_CLIENT_SECRET = "" } = settings();
  const basic = Buffer.from(`${AURINKO_CLIENT_ID}:${AURINKO_CLIENT_SECRET}`).toString("base64");
  return tokenSchema.parse(await call("POST", `/v1/auth/token/${encodeURIComponent(code)}`, `Basic ${basic}`));
}

export const readAccount = async (accessToken: string): Promise<AurinkoAccount> =>
  accountSchema.parse(await call("GET", "/v1/account", `Bearer ${accessToken}`));

export async function removeAccount(accessToken: string): Promise<void> {
  await call("DELETE", "/v1/account", `Bearer ${accessToken}`);
}

const call = (method: string, path: string, authorization: string): Promise<unknown> =>
  outOfTurn(() => ask(method, path, authorization));

async function ask(method: string, path: string, authorization: string): Promise<unknown> {
  const response = await fetch(new URL(path, settings().AURINKO_API_URL), {
    method,
    headers: { authorization, accept: "application/json" },
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new AurinkoRefusal(response.status, `HTTP ${response.status}: ${cutText(text, 500)}`);
  return text === "" ? null : JSON.parse(text);
}
