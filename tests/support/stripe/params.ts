// What the provider takes: bodies as it reads them, and its refusals of what it does not know.
import { z } from "zod";

export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: { type: string; code?: string; param?: string; message: string };
  /** What was asked could not even be read: nothing was begun, and its key is free again. */
  readonly isUnread: boolean;
  constructor(status: number, body: StripeRefusal["body"], isUnread = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.isUnread = isUnread;
  }
}

export const refuse = (message: string, further: { code?: string; param?: string; status?: number } = {}): never => {
  const { status = 400, ...named } = further;
  throw new StripeRefusal(status, { type: "invalid_request_error", message, ...named });
};

const refuseUnread = (message: string, named: { code: string; param: string }): never => {
  throw new StripeRefusal(400, { type: "invalid_request_error", message, ...named }, true);
};

export const missing = (what: string, id: string): never =>
  refuse(`No such ${what}: '${id}'`, { code: "resource_missing", param: "id", status: 404 });

type Tree = { [name: string]: Tree | string };

/** `line_items[0][price]=x` as an object; what has numbers for names is a list. */
export function formTree(params: URLSearchParams): unknown {
  const root: Tree = {};
  for (const [name, value] of params) {
    const path = name.split(/[[\]]+/).filter((part, at) => at === 0 || part !== "");
    const keys = name.endsWith("[]") ? [...path, String(params.getAll(name).indexOf(value))] : path;
    let place = root;
    for (const key of keys.slice(0, -1)) {
      const next = place[key];
      place = typeof next === "object" ? next : (place[key] = {});
    }
    place[keys.at(-1) ?? ""] = value;
  }
  return withLists(root);
}

function withLists(tree: Tree | string): unknown {
  if (typeof tree === "string") return tree;
  const entries = Object.entries(tree).map(([key, value]) => [key, withLists(value)] as const);
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** What the provider says of the first thing that is wrong. */
export function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [])];
  const param = path.map((part, at) => (at === 0 ? String(part) : `[${String(part)}]`)).join("");
  if (issue?.code === "unrecognized_keys")
    return refuseUnread(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  return refuseUnread(`Invalid ${param}: ${issue?.message ?? ""}`, { code: "parameter_invalid", param });
}

const whole = z.union([z.string().regex(/^-?\d{1,15}$/, "must be an integer"), z.number().int()]).transform(Number);
const flag = z.enum(["true", "false"]).transform((word) => word === "true");
const metadata = z.record(z.string().max(40), z.string().max(500)).default({});
const currency = z.string().regex(/^[a-z]{3}$/, "must be three small letters");
const address = z.string().regex(/^https?:\/\//, "Not a valid URL");
const LIST = {
  limit: whole.default(10),
  starting_after: z.string().optional(),
  expand: z.array(z.string()).optional(),
};
const created = z.strictObject({ gte: whole.optional(), lte: whole.optional() }).optional();

export const customerParams = z.strictObject({
  email: z.string().optional(),
  name: z.string().optional(),
  metadata,
});

const price = z.strictObject({
  currency,
  unit_amount: whole.refine((amount) => amount >= 0, "must be at least 0"),
  product_data: z.strictObject({ name: z.string().min(1).max(250), description: z.string().min(1).optional() }),
});

export const sessionParams = z.strictObject({
  mode: z.enum(["payment", "subscription"]),
  customer: z.string().optional(),
  customer_email: z.string().optional(),
  client_reference_id: z.string().max(200).optional(),
  line_items: z
    .array(z.strictObject({ price: z.string().optional(), price_data: price.optional(), quantity: whole }))
    .min(1),
  metadata,
  payment_intent_data: z
    .strictObject({ metadata, description: z.string().optional(), application_fee_amount: whole.optional() })
    .optional(),
  subscription_data: z.strictObject({ metadata, trial_period_days: whole.optional() }).optional(),
  payment_method_types: z.array(z.enum(["card", "bacs_debit", "sepa_debit"])).optional(),
  success_url: address,
  cancel_url: address.optional(),
  expires_at: whole.optional(),
  locale: z.string().optional(),
});

export const refundParams = z.strictObject({
  payment_intent: z.string(),
  amount: whole.refine((amount) => amount > 0, "must be greater than 0").optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata,
});

export const listParams = z.strictObject({
  ...LIST,
  created,
  payment_intent: z.string().optional(),
  customer: z.string().optional(),
  status: z.string().optional(),
});
export const getParams = z.strictObject({ expand: z.array(z.string()).optional() });
export const noParams = z.strictObject({});
export const portalParams = z.strictObject({ customer: z.string(), return_url: address });
export const subscriptionUpdate = z.strictObject({
  cancel_at_period_end: flag.optional(),
  metadata: metadata.optional(),
  items: z.array(z.strictObject({ id: z.string().optional(), price: z.string() })).optional(),
});

const requested = z.strictObject({ card_payments: z.strictObject({ requested: z.boolean() }) });
const included = z.array(z.string());
export const accountParams = z.strictObject({
  contact_email: z.string().optional(),
  display_name: z.string().optional(),
  dashboard: z.enum(["full", "express", "none"]).optional(),
  identity: z.strictObject({ country: z.string().regex(/^[a-z]{2}$/) }).optional(),
  configuration: z.strictObject({ merchant: z.strictObject({ capabilities: requested }) }).optional(),
  defaults: z
    .strictObject({
      responsibilities: z.strictObject({
        fees_collector: z.enum(["stripe", "application"]),
        losses_collector: z.enum(["stripe", "application"]),
      }),
    })
    .optional(),
  metadata: metadata.optional(),
  include: included.optional(),
});
export const accountQuery = z.strictObject({ include: included.optional() });
export const accountLinkParams = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({
    type: z.literal("account_onboarding"),
    account_onboarding: z.strictObject({
      return_url: address,
      refresh_url: address,
    }),
  }),
});

/** Of what is charged by card. */
export const MINIMUMS: Readonly<Record<string, number>> = { gbp: 30, eur: 50, usd: 50, jpy: 50 };
