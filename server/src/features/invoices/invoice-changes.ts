// An invoice that was issued changes by money alone: what was credited, what was paid, and what follows from these.
import { issuedState, whyNotBecome } from "@app/shared/invoice-states";
import { assertInTransaction } from "../../core/database.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import { afterCommit } from "../../core/open-transaction.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { tellDueFell } from "./money-outside.service.ts";
import { dueOf, type InvoiceDoc, InvoiceModel } from "./invoices.model.ts";

export async function findInvoiceDoc(ownerId: string, id: string): Promise<InvoiceDoc> {
  const doc = await InvoiceModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Invoice");
  return doc;
}

/** Takes the invoice's turn in the transaction: of two who change what is owed of it, the second looks after the first. */
export async function lockInvoiceDoc(ownerId: string, id: string, version?: number): Promise<InvoiceDoc> {
  assertInTransaction();
  const doc = await InvoiceModel.findOneAndUpdate(
    { ownerId, _id: id, ...(version === undefined ? {} : { version }) },
    { $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (doc) return doc;
  if (version !== undefined && (await InvoiceModel.exists({ ownerId, _id: id }))) throw stale("invoice");
  throw notFound("Invoice");
}

export function assertIssued({ state }: Pick<InvoiceDoc, "state">): void {
  if (state === "draft") throw wrongState("This invoice is a draft, so nothing is owed for it yet. Issue it first.");
}

type Change = Partial<Pick<InvoiceDoc, "creditedMinor" | "paidMinor" | "heldMinor">>;

/** By how much these change; what is due and its state follow. For an invoice whose turn was taken. */
export async function changeMoney(doc: InvoiceDoc, by: Change): Promise<InvoiceDoc> {
  const money = {
    grossMinor: doc.grossMinor,
    creditedMinor: doc.creditedMinor + (by.creditedMinor ?? 0),
    paidMinor: doc.paidMinor + (by.paidMinor ?? 0),
  };
  const heldMinor = doc.heldMinor + (by.heldMinor ?? 0);
  const dueMinor = dueOf(money);
  const numbers = [money.creditedMinor, money.paidMinor, heldMinor, dueMinor];
  if (numbers.some((each) => !Number.isSafeInteger(each) || each < 0))
    throw new Error(`the amounts of invoice ${doc.number} do not add up`);
  const state = issuedState(money);
  const refusal = state === doc.state ? null : whyNotBecome(doc.state, state);
  if (refusal) throw wrongState(refusal);
  const changed = await InvoiceModel.findOneAndUpdate(
    { ownerId: doc.ownerId, _id: doc._id, version: doc.version },
    {
      $set: {
        creditedMinor: money.creditedMinor,
        paidMinor: money.paidMinor,
        heldMinor,
        dueMinor,
        state,
      },
    },
    { returnDocument: "after", lean: true },
  );
  if (!changed) throw stale("invoice");
  if (dueMinor < doc.dueMinor) await afterCommit(() => tellDueFell(doc.ownerId, doc._id));
  // Nobody is asked to remind of what is not due any more.
  if (dueMinor === 0) await callOff({ ownerId: doc.ownerId, caseId: doc.caseId, abouts: [aboutOverdue(doc._id)] });
  return changed;
}

/** By which a task to remind of it is found again. */
export const aboutOverdue = (id: string): string => `invoice:${id}:overdue`;
