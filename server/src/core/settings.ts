import { Resolver } from "node:dns";
import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";

const emptyToAbsent = (value: unknown) => (value === "" ? undefined : value);
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(emptyToAbsent, schema.optional());
const withDefault = <Schema extends z.ZodType>(schema: Schema, fallback: string) =>
  z.preprocess((value) => emptyToAbsent(value) ?? fallback, schema);

const portSchema = z
  .string()
  .regex(/^\d{1,5}$/, "must be a port number from 0 to 65535")
  .transform(Number)
  .refine((port) => port <= 65535, "must be a port number from 0 to 65535");
const switchSchema = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");
const allowanceSchema = z
  .enum(["true", "false", "1", "0"], "must be true or false")
  .transform((text) => text === "true" || text === "1");
const wholeNumberSchema = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from 0 to ${max}`)
    .transform(Number)
    .refine((value) => value <= max, `must be a whole number from 0 to ${max}`);
/** Pairs of a mail server and the name that it goes by, such as `imap.example.org=mx.example.org`. */
const serverNamesSchema = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(",")
      .map((pair) => pair.trim().split("="))
      .filter(([host]) => host),
  )
  .refine((pairs) => pairs.every((pair) => pair.length === 2 && pair.every((name) => /^[\w.:-]+$/.test(name))), {
    error: "must be pairs such as imap.example.org=mx.example.org, with commas between them",
  })
  .transform((pairs) => new Map(pairs.map(([host = "", name = ""]) => [host, name])));
const addressSchema = z
  .string()
  .regex(/^https?:\/\/./, "must be an address such as https://mail.example.org")
  .refine((text) => URL.canParse(text), "must be an address such as https://mail.example.org");
const originSchema = z
  .string()
  .regex(/^https?:\/\/[^/]+\/?$/, "must be an address without a path, such as https://practice.example.org")
  .refine((text) => URL.canParse(text), "must be an address such as https://practice.example.org")
  .transform((text) => (URL.canParse(text) ? new URL(text).origin : text));
const listSchema = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);
const pricePairSchema = listSchema.refine(
  (ids) => ids.length === 2,
  "must be two price ids with a comma between them: monthly, yearly",
);
const proxiesSchema = listSchema.refine(
  (proxies) => proxies.every(isProxy),
  "must be addresses or ranges with commas between them, such as 10.0.0.0/8, or loopback",
);

const nameServersSchema = listSchema.refine(
  areNameServers,
  "must be addresses with commas between them, such as 10.0.0.53, or 10.0.0.53:5353",
);

function areNameServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

function isProxy(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits = "0", ...rest] = text.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax;
}

const environmentSchema = z.object({
  NODE_ENV: withDefault(
    z.enum(["production", "development", "test"], "must be production, development or test"),
    "production",
  ),
  PORT: withDefault(portSchema, "3000"),
  HOST: withDefault(z.string().regex(/^[\w.:-]+$/, "must be an address to listen on, such as 127.0.0.1"), "127.0.0.1"),
  DATA_DIR: withDefault(z.string(), "data"),
  PUBLIC_URL: optional(originSchema),
  MONGODB_URI: optional(z.string().regex(/^mongodb(\+srv)?:\/\//, "must start with mongodb:// or mongodb+srv://")),
  SECRET_KEY: optional(z.string().min(32, "must have at least 32 characters: openssl rand -base64 32 makes one")),
  SECRET_KEY_PREVIOUS: withDefault(
    listSchema.refine(
      (keys) => keys.every((key) => key.length >= 32),
      "must be keys of before with commas between them",
    ),
    "",
  ),
  TRUSTED_PROXIES: withDefault(proxiesSchema, "loopback"),
  LOG_LEVEL: withDefault(
    z.enum(["debug", "info", "warn", "error", "silent"], "must be debug, info, warn, error or silent"),
    "info",
  ),
  ALLOW_REGISTRATION: withDefault(switchSchema, "true"),
  SYSTEM_SMTP_URL: optional(
    z
      .string()
      .regex(/^smtps?:\/\/./, "must start with smtp:// or smtps://")
      .refine((text) => URL.canParse(text), "must be an address such as smtp://name:password@mail.example.org:587"),
  ),
  SYSTEM_MAIL_FROM: optional(z.string().regex(/@/, "must be an email address")),
  SUPPORT_EMAIL: optional(z.email("must be an email address")),
  MAIL_ALLOW_PRIVATE_HOSTS: withDefault(allowanceSchema, "false"),
  DNS_SERVERS: withDefault(nameServersSchema, ""),
  MAIL_SENDER_CHECKS: withDefault(serverNamesSchema, ""),
  MAIL_FUNCTIONS_URL: optional(addressSchema),
  MAIL_FUNCTIONS_TOKEN: optional(z.string()),
  EMAILJS_HOST: withDefault(originSchema, "https://api.emailjs.com"),
  EMAILJS_PUBLIC_KEY: withDefault(z.string(), ""),
  EMAILJS_PRIVATE_KEY: optional(z.string()),
  EMAILJS_SERVICE_ID: withDefault(z.string(), ""),
  EMAILJS_TEMPLATE_ID: withDefault(z.string(), ""),
  EMAILJS_HTML_TEMPLATE_ID: withDefault(z.string(), ""),
  EMAILJS_MAX_ATTACHMENT_KB: withDefault(wholeNumberSchema(100_000), "500"),
  EMAILJS_BLOCK_HEADLESS: withDefault(switchSchema, "true"),
  EMAILJS_BLOCK_LIST: withDefault(listSchema, ""),
  EMAILJS_BLOCK_VARIABLE: withDefault(z.string(), "to_email"),
  EMAILJS_THROTTLE_MS: withDefault(wholeNumberSchema(3_600_000), "1000"),
  AURINKO_API_URL: withDefault(originSchema, "https://api.aurinko.io"),
  AURINKO_CLIENT_ID: optional(z.string()),
  AURINKO_CLIENT_SECRET: optional(z.string()),
  CLAMD: optional(
    z
      .string()
      .regex(/^\/.|^[\w.-]+:\d{1,5}$/, "must be a host and a port, such as 127.0.0.1:3310, or the path of a socket"),
  ),
  CLAMD_REQUIRED: withDefault(switchSchema, "false"),
  TIMESTAMP_URL: optional(addressSchema),
  STRIPE_SECRET_KEY: optional(z.string().regex(/^(sk|rk)_/, "must be a Stripe secret key (sk_...)")),
  STRIPE_WEBHOOK_SECRET: optional(z.string().regex(/^whsec_/, "must be a Stripe webhook secret (whsec_...)")),
  STRIPE_MODE: optional(z.enum(["none", "own", "connect"], "must be none, own or connect")),
  STRIPE_CONNECT_WEBHOOK_SECRET: optional(z.string().regex(/^whsec_/, "must be a Stripe webhook secret (whsec_...)")),
  STRIPE_API_URL: optional(originSchema),
  STRIPE_PRICES_ESSENTIAL: withDefault(pricePairSchema, "price_essential_monthly,price_essential_yearly"),
  STRIPE_PRICES_PRO: withDefault(pricePairSchema, "price_pro_monthly,price_pro_yearly"),
});

export type StripeMode = "none" | "own" | "connect";

export interface Settings extends Omit<z.infer<typeof environmentSchema>, "STRIPE_MODE"> {
  /** How practices are paid by card: not at all, into the account of the key, or into an account that each connects. */
  STRIPE_MODE: StripeMode;
  isDevelopment: boolean;
  dataDir: string;
}

/** Whoever holds it may send as everybody who has a mailbox here. */
const TOKEN_MIN_LENGTH = 32;

export class SettingsError extends Error {}

/**
 * Reads every setting from the environment.
 * Throws SettingsError with one line per setting that cannot be used, naming it and what it should be.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const firstOfEach = new Map(parsed.error.issues.toReversed().map((issue) => [issue.path.join("."), issue.message]));
    throw new SettingsError([...firstOfEach].map(([name, message]) => `${name} ${message}`).join("\n"));
  }
  const settings = parsed.data;
  if (settings.STRIPE_SECRET_KEY && !settings.STRIPE_WEBHOOK_SECRET) {
    throw new SettingsError(
      "STRIPE_WEBHOOK_SECRET is needed when STRIPE_SECRET_KEY is set: payments are believed only when signed",
    );
  }
  const stripeMode = settings.STRIPE_MODE ?? (settings.STRIPE_SECRET_KEY ? "own" : "none");
  if (stripeMode !== "none" && !settings.STRIPE_SECRET_KEY)
    throw new SettingsError(`STRIPE_SECRET_KEY is needed when STRIPE_MODE is ${stripeMode}`);
  if (stripeMode === "connect" && !settings.STRIPE_CONNECT_WEBHOOK_SECRET) {
    throw new SettingsError(
      "STRIPE_CONNECT_WEBHOOK_SECRET is needed when STRIPE_MODE is connect: what happens in connected accounts is believed only when signed",
    );
  }
  if (
    settings.MAIL_FUNCTIONS_TOKEN &&
    !settings.MAIL_FUNCTIONS_URL &&
    settings.MAIL_FUNCTIONS_TOKEN.length < TOKEN_MIN_LENGTH
  ) {
    throw new SettingsError(
      `MAIL_FUNCTIONS_TOKEN must have at least ${TOKEN_MIN_LENGTH} characters where other installations use this one as their mail gateway: openssl rand -hex 32 makes one`,
    );
  }
  return {
    ...settings,
    STRIPE_MODE: stripeMode,
    isDevelopment: settings.NODE_ENV === "development",
    dataDir: path.resolve(settings.DATA_DIR),
  };
}

let current: Settings | undefined;

/** Makes these the settings of the process; called once at start, and by tests. */
export function configure(settings: Settings): void {
  current = settings;
}

export function settings(): Settings {
  if (!current) throw new Error("configure() was not called");
  return current;
}

/** Where people reach the product, for links in mail: never taken from a request. */
export const publicUrl = (): string => settings().PUBLIC_URL ?? `http://localhost:${settings().PORT}`;
