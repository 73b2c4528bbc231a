// A line becomes a payment: once, whoever confirms it, however often, and in whichever statement it stands.
import type { BankLine, ConfirmLine, confirmedSchema, confirmSureSchema, SureLine } from "@app/shared/bank-statements";
import { cutText } from "@app/shared/cut-text";
import { REFERENCE_MAX_LENGTH } from "@app/shared/payments";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { receiveTransfer } from "../payments/transfers.service.ts";
import type { BankLineDoc } from "./bank-statements.model.ts";
import { findLine, getLine, openLinesOf } from "./bank-statements.service.ts";
import { shownLines } from "./line-views.ts";
import { noteRecorded, recordedAmong, showRecorded } from "./recorded-lines.ts";

const VIEWED_AT_ONCE = 200;

export async function confirmLine(scope: Scope, { id, invoiceId, keepsRest }: ConfirmLine): Promise<BankLine> {
  const line = await findLine(scope, id);
  if (line.isSetAside) throw wrongState("This line is set aside. Bring it back first, then confirm it.");
  await record(scope, line, { invoiceId, keepsRest });
  return getLine(scope, id);
}

/** False where it was recorded before. */
async function record(
  scope: Scope,
  { fingerprint, amountMinor, on: receivedOn, payerName, text }: BankLineDoc,
  { invoiceId, keepsRest }: Pick<ConfirmLine, "invoiceId" | "keepsRest">,
): Promise<boolean> {
  const { ownerId } = scope;
  if (await wasRecorded(ownerId, fingerprint)) return false;
  const reference = cutText([text, payerName].find((words) => words !== "") ?? "", REFERENCE_MAX_LENGTH);
  try {
    await inTransaction(async () => {
      const { id: paymentId } = await receiveTransfer(scope, {
        invoiceId,
        amountMinor,
        receivedOn,
        reference,
        keepsRest,
      });
      await noteRecorded(ownerId, fingerprint, paymentId);
    });
  } catch (error) {
    // Whatever stood in the way may have been the same line, which was recorded meanwhile.
    if (await wasRecorded(ownerId, fingerprint)) return false;
    throw error;
  }
  return true;
}

async function wasRecorded(ownerId: string, fingerprint: string): Promise<boolean> {
  const before = (await recordedAmong(ownerId, [fingerprint])).get(fingerprint);
  if (before === undefined) return false;
  await showRecorded(ownerId, fingerprint, before);
  return true;
}

/** All of a statement of which no doubt is left. */
export async function sureLines(scope: Scope, id: string): Promise<{ items: SureLine[] }> {
  const open = await openLinesOf(scope, id);
  const items: SureLine[] = [];
  for (let at = 0; at < open.length; at += VIEWED_AT_ONCE)
    items.push(...sureAmong(await shownLines(scope, open.slice(at, at + VIEWED_AT_ONCE))));
  return { items: withoutRivals(items) };
}

const sureAmong = (lines: readonly BankLine[]): SureLine[] =>
  lines.flatMap(({ id: lineId, on, amountMinor, currency, matches, proposedId, state }) => {
    const match = matches.find(({ invoiceId, certainty }) => certainty === "sure" && invoiceId === proposedId);
    if (!match || state !== "open") return [];
    const { invoiceId, number: invoiceNumber, payerName } = match;
    return [{ lineId, invoiceId, invoiceNumber, payerName, on, amountMinor, currency }];
  });

/** Two that would each pay the whole of one invoice: which of them does is for somebody to say. */
const withoutRivals = (items: readonly SureLine[]): SureLine[] =>
  items.filter(({ invoiceId }) => items.filter((other) => other.invoiceId === invoiceId).length === 1);

type Confirmed = z.infer<typeof confirmedSchema>;

export async function confirmSure(scope: Scope, { id, items }: z.output<typeof confirmSureSchema>): Promise<Confirmed> {
  const chosen = new Map(items.map(({ lineId, invoiceId }) => [lineId, invoiceId]));
  const open = (await openLinesOf(scope, id)).filter(({ _id }) => chosen.has(_id));
  const sure = new Map(sureAmong(await shownLines(scope, open)).map(({ lineId, invoiceId }) => [lineId, invoiceId]));
  let recorded = 0;
  for (const line of open) {
    const invoiceId = sure.get(line._id);
    if (invoiceId === undefined || invoiceId !== chosen.get(line._id)) continue;
    if (await recordIfStillDue(scope, line, invoiceId)) recorded += 1;
  }
  return { recorded, left: items.length - recorded };
}

/** What was paid in another way meanwhile is left to whoever looks. */
async function recordIfStillDue(scope: Scope, line: BankLineDoc, invoiceId: string): Promise<boolean> {
  const [shown] = await shownLines(scope, [await findLine(scope, line._id)]);
  const isStillSure = shown && sureAmong([shown]).some((one) => one.invoiceId === invoiceId);
  return isStillSure ? record(scope, line, { invoiceId, keepsRest: false }) : false;
}
