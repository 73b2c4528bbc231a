// One invoice for each payer: what each of them has to pay of the same lines.
import { z } from "zod";
import type { Party } from "./cases.ts";
import { eachOnce } from "./each-once.ts";
import { idSchema } from "./ids.ts";
import { netOf, type Priced } from "./invoice-totals.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const PAYERS_MAX = PARTIES_MAX;
const WHOLE_BP = 10_000;

export const payerSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("party"), partyId: idSchema, clientId: idSchema }),
  /** An employer, a referrer, a solicitor. */
  z.strictObject({ kind: z.literal("contact"), contactId: idSchema }),
  z.strictObject({ kind: z.literal("legal_aid") }),
  z.strictObject({ kind: z.literal("voucher") }),
]);
export type Payer = z.infer<typeof payerSchema>;

/** Who pays an invoice as it stands: nobody chooses whoever booked by a link and paid for that. */
export const invoicePayerSchema = z.discriminatedUnion("kind", [
  ...payerSchema.options,
  z.strictObject({ kind: z.literal("visitor"), visitId: idSchema }),
]);
export type InvoicePayer = z.infer<typeof invoicePayerSchema>;

export const PAYER_KINDS = ["party", "contact", "legal_aid", "voucher", "visitor"] as const;
export type PayerKind = (typeof PAYER_KINDS)[number];
export const PAYER_KIND_NAMES = {
  party: "Party",
  contact: "Somebody else",
  legal_aid: "Legal aid",
  voucher: "Voucher scheme",
  visitor: "Whoever booked",
} as const satisfies Record<PayerKind, string>;

/** By what the ledger knows a payer: a party's is of this case alone. */
export function payerKeyOf(payer: InvoicePayer): string {
  switch (payer.kind) {
    case "party":
      return `party:${payer.partyId}`;
    case "contact":
      return `contact:${payer.contactId}`;
    case "legal_aid":
      return "legal_aid:";
    case "voucher":
      return "voucher:";
    case "visitor":
      return `visitor:${payer.visitId}`;
  }
}

/** The account in which what they owe stands. */
export const receivableOf = ({ kind }: InvoicePayer) =>
  kind === "legal_aid" || kind === "voucher" ? kind : "receivable";

const payersSchema = <Share extends z.ZodType<{ payer: Payer }>>(share: Share) =>
  z
    .array(share)
    .min(1, "Choose who pays")
    .max(PAYERS_MAX)
    .refine((shares) => eachOnce(shares, ({ payer }) => payerKeyOf(payer)), "Name each payer once");

/** Who pays how much. What cannot be divided goes to the payer at `remainderAt`. */
export const sharesSchema = z
  .discriminatedUnion("method", [
    z.strictObject({
      method: z.literal("equal"),
      remainderAt: z.number().int().min(0).max(PAYERS_MAX),
      payers: payersSchema(z.strictObject({ payer: payerSchema })),
    }),
    z.strictObject({
      method: z.literal("share_bp"),
      remainderAt: z.number().int().min(0).max(PAYERS_MAX),
      payers: payersSchema(z.strictObject({ payer: payerSchema, shareBp: z.number().int().min(0).max(WHOLE_BP) })),
    }),
    z.strictObject({
      method: z.literal("custom"),
      /** Of each line what this payer pays, without VAT. */
      payers: payersSchema(
        z.strictObject({ payer: payerSchema, netMinor: z.array(z.number().int().min(0).max(1_000_000_000)).max(50) }),
      ),
    }),
  ])
  .superRefine((shares, context) => {
    const report = (message: string) => context.addIssue({ code: "custom", path: ["payers"], message });
    if (shares.method !== "custom" && shares.remainderAt >= shares.payers.length)
      context.addIssue({ code: "custom", path: ["remainderAt"], message: "Choose who pays what cannot be divided" });
    if (shares.method === "share_bp" && shares.payers.reduce((sum, { shareBp }) => sum + shareBp, 0) !== WHOLE_BP)
      report("The shares must add up to 100 %");
  });
export type Shares = z.infer<typeof sharesSchema>;

type SplitLine = Priced & { description: string };

export interface PayerLines<Line> {
  payer: Payer;
  lines: Line[];
}

/** What stands on each payer's own invoice: their part, and nothing of the whole or of another's. */
export const YOUR_SHARE = "your share";

/**
 * The lines of each payer, who pay every line exactly between them. Throws where amounts of their own do not make up a
 * line: `whyNotSplit` says so before.
 */
export function splitLines<Line extends SplitLine>(lines: readonly Line[], shares: Shares): PayerLines<Line>[] {
  const problem = whyNotSplit(lines, shares);
  if (problem) throw new Error(problem);
  const nets = lines.map((line, at) => netShares(netOf(line), at, shares));
  return shares.payers.map(({ payer }, payerAt) => ({
    payer,
    lines: lines.flatMap((line, lineAt) => {
      const unitMinor = nets[lineAt]?.[payerAt] ?? 0;
      if (unitMinor === 0) return [];
      if (shares.payers.length === 1) return [line];
      return [{ ...line, description: `${line.description}, ${YOUR_SHARE}`, qtyMilli: 1000, unitMinor }];
    }),
  }));
}

export function whyNotSplit(lines: readonly SplitLine[], shares: Shares): string | null {
  if (shares.method !== "custom") return null;
  for (const [at, line] of lines.entries()) {
    const sum = shares.payers.reduce((total, { netMinor }) => total + (netMinor[at] ?? 0), 0);
    if (sum !== netOf(line))
      return `What each pays of line ${at + 1} does not add up to that line. Change the amounts.`;
  }
  return shares.payers.some(({ netMinor }) => netMinor.length !== lines.length)
    ? "Say of each line what each payer pays."
    : null;
}

function netShares(net: number, lineAt: number, shares: Shares): number[] {
  if (shares.method === "custom") return shares.payers.map(({ netMinor }) => netMinor[lineAt] ?? 0);
  const count = shares.payers.length;
  const parts =
    shares.method === "equal"
      ? shares.payers.map(() => Math.floor(net / count))
      : shares.payers.map(({ shareBp }) => Math.floor((net * shareBp) / WHOLE_BP));
  const left = net - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, at) => (at === shares.remainderAt ? part + left : part));
}

type FundedParty = Pick<Party, "partyId" | "clientId" | "funding" | "leftAt">;

/** Who pays by what the case says of each party; empty where it says nothing of it. Nobody pays where it is given free. */
export function payerSharesOf(parties: readonly FundedParty[]): { payer: Payer; shareBp: number }[] {
  const shares = new Map<string, { payer: Payer; shareBp: number }>();
  for (const party of parties) {
    const payer = party.leftAt === null ? payerOf(party) : null;
    if (!payer) continue;
    const key = payerKeyOf(payer);
    shares.set(key, { payer, shareBp: (shares.get(key)?.shareBp ?? 0) + party.funding.shareBp });
  }
  return [...shares.values()];
}

/** Null where nobody does, or the case does not say who. */
export function payerOf({ partyId, clientId, funding }: FundedParty): Payer | null {
  switch (funding.type) {
    case "pro_bono":
      return null;
    case "legal_aid":
    case "voucher":
      return { kind: funding.type };
    case "employer":
    case "grant":
      return funding.payerContactId ? { kind: "contact", contactId: funding.payerContactId } : null;
    case "private":
      return funding.payerContactId
        ? { kind: "contact", contactId: funding.payerContactId }
        : { kind: "party", partyId, clientId };
  }
}
