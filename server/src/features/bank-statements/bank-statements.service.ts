import { BANK_LINE_STATES, type BankLineState } from "@app/shared/bank-columns";
import type {
  BankLine,
  bankLinePageSchema,
  BankStatement,
  bankStatementPageSchema,
  ListBankLines,
} from "@app/shared/bank-statements";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { forbidden, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type BankLineDoc, BankLineModel, type StatementDoc, StatementModel } from "./bank-statements.model.ts";
import { shownLines } from "./line-views.ts";

/** What comes into the account is of all clients, so nothing for whoever sees only their own cases. */
export function assertWholePractice({ isAssignedOnly }: Scope): void {
  if (isAssignedOnly) throw forbidden("A bank statement is of the whole practice, and you see only your own cases.");
}

const OF_STATE = {
  open: { paymentId: "", isSetAside: false },
  recorded: { paymentId: mongoose.trusted({ $ne: "" }) },
  set_aside: { paymentId: "", isSetAside: true },
} as const satisfies Record<BankLineState, QueryFilter<BankLineDoc>>;

async function findStatement(scope: Scope, id: string): Promise<StatementDoc> {
  if (scope.isAssignedOnly) throw notFound("Bank statement");
  const doc = await StatementModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Bank statement");
  return doc;
}

async function toStatement({ _id: id, ownerId, importedAt, ...doc }: StatementDoc): Promise<BankStatement> {
  const [open = 0, recorded = 0, aside = 0] = await Promise.all(
    BANK_LINE_STATES.map((state) => BankLineModel.countDocuments({ ownerId, statementId: id, ...OF_STATE[state] })),
  );
  return { ...doc, id, importedAt: importedAt.toISOString(), counts: { open, recorded, set_aside: aside } };
}

export const getStatement = async (scope: Scope, id: string): Promise<BankStatement> =>
  toStatement(await findStatement(scope, id));

export async function listStatements(
  scope: Scope,
  { page }: { page: number },
): Promise<z.infer<typeof bankStatementPageSchema>> {
  assertWholePractice(scope);
  const { ownerId } = scope;
  const [docs, total] = await Promise.all([
    StatementModel.find({ ownerId })
      .sort({ importedAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    StatementModel.countDocuments({ ownerId }).limit(COUNT_MAX + 1),
  ]);
  const items = await Promise.all(docs.map(toStatement));
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

export async function listLines(
  scope: Scope,
  { id, state, page }: ListBankLines,
): Promise<z.infer<typeof bankLinePageSchema>> {
  const { ownerId } = await findStatement(scope, id);
  const filter = { ownerId, statementId: id, ...(state === undefined ? {} : OF_STATE[state]) };
  const [docs, total] = await Promise.all([
    BankLineModel.find(filter)
      .sort({ place: 1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    BankLineModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  const items = await shownLines(scope, docs);
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** Those of a statement that are still to be decided. */
export async function openLinesOf(scope: Scope, id: string): Promise<BankLineDoc[]> {
  const { ownerId } = await findStatement(scope, id);
  return BankLineModel.find({ ownerId, statementId: id, ...OF_STATE.open })
    .sort({ place: 1 })
    .lean();
}

export async function findLine(scope: Scope, id: string): Promise<BankLineDoc> {
  if (scope.isAssignedOnly) throw notFound("Line of the statement");
  const doc = await BankLineModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Line of the statement");
  return doc;
}

export async function getLine(scope: Scope, id: string): Promise<BankLine> {
  const [line] = await shownLines(scope, [await findLine(scope, id)]);
  if (!line) throw new Error("the line that was just found is missing");
  return line;
}

/** What is no payment of an invoice, or was recorded in another way; in every statement that has it. */
export async function setAside(
  scope: Scope,
  { id, isSetAside }: { id: string; isSetAside: boolean },
): Promise<BankLine> {
  const { ownerId, fingerprint, paymentId } = await findLine(scope, id);
  if (paymentId !== "") throw wrongState("This line was recorded already. Undo the payment by a refund instead.");
  await BankLineModel.updateMany({ ownerId, fingerprint, paymentId: "" }, { $set: { isSetAside } });
  return getLine(scope, id);
}

/** Forgets a statement; the payments that were recorded from it stay. */
export async function removeStatement(scope: Scope, id: string): Promise<void> {
  const { ownerId } = await findStatement(scope, id);
  await inTransaction(async () => {
    await BankLineModel.deleteMany({ ownerId, statementId: id });
    await StatementModel.deleteOne({ ownerId, _id: id });
  });
}
