// What the voucher scheme still pays for a family, over all cases of the same people.
import type { Case } from "@app/shared/cases";
import type { InvoiceLine, VoucherLeft } from "@app/shared/invoices";
import { isForVoucher, voucherLeft, whyNotByVoucher } from "@app/shared/vouchers";
import mongoose from "mongoose";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { togetherElsewhere } from "../cases/client-cases.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { invoiceSettingsOf } from "./invoice-settings.service.ts";
import { InvoiceModel } from "./invoices.model.ts";

/** Null where the scheme pays for no case like this, or the practice does not use it. */
export async function voucherOf(scope: Scope, { caseId }: { caseId: string }): Promise<VoucherLeft> {
  const cap = await capOf(scope, await getCase(scope, caseId));
  return { leftMinor: cap && voucherLeft(cap), capMinor: cap?.capMinor ?? null };
}

interface Cap {
  capMinor: number;
  usedMinor: number;
}

async function capOf({ ownerId }: Scope, theCase: Case): Promise<Cap | null> {
  const { voucherCapMinor: capMinor } = await invoiceSettingsOf(ownerId);
  if (capMinor === 0 || !isForVoucher({ ...theCase, region: await practiceRegion(ownerId) })) return null;
  return { capMinor, usedMinor: await usedByFamily(ownerId, theCase.id) };
}

/** Whoever may see the other cases: it is one voucher. */
async function usedByFamily(ownerId: string, caseId: string): Promise<number> {
  const around = (await togetherElsewhere(ownerId, [caseId])).get(caseId) ?? [];
  const others = around.flatMap(({ elsewhere }) => elsewhere.map((place) => place.caseId));
  const paid = await InvoiceModel.find(
    {
      ownerId,
      caseId: mongoose.trusted({ $in: [...new Set([caseId, ...others])] }),
      payerKey: "voucher:",
      state: mongoose.trusted({ $in: ["issued", "part_paid", "paid"] as const }),
    },
    { grossMinor: 1, creditedMinor: 1 },
  ).lean();
  return paid.reduce((sum, { grossMinor, creditedMinor }) => sum + grossMinor - creditedMinor, 0);
}

/** In the transaction that issues it: throws where the scheme does not pay for this, or not so much any more. */
export async function assertByVoucher(
  scope: Scope,
  theCase: Case,
  { lines, currency }: { lines: readonly InvoiceLine[]; currency: string },
): Promise<void> {
  const cap = await capOf(scope, theCase);
  if (!cap)
    throw wrongState(
      "The voucher scheme pays for family mediation in England and Wales that is also about a child, where the invoice settings say so. Choose another payer, or correct the case or the settings.",
    );
  const problem = whyNotByVoucher(lines, { ...cap, currency });
  if (problem) throw wrongState(problem);
}
