// The stored statement of a case: what each said of the whole, what is one thing, what is agreed and what was exchanged.
import type { Case, Party } from "@app/shared/cases";
import { keyOfFigures } from "@app/shared/finance-lines";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { isDuplicateKey } from "../../core/database.ts";
import { stale, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { getPractice } from "../practices/practices.service.ts";
import { agreementsOf, type FinanceDoc, FinanceModel, sealAgreements, type StoredAgreement } from "./finances.model.ts";

export interface Statement extends Omit<FinanceDoc, "agreementsEnc"> {
  agreements: StoredAgreement[];
}

/** The stored one, or one in which nothing was said yet. */
export async function statementOf(scope: Scope, caseId: string): Promise<Statement> {
  const { ownerId } = scope;
  const doc = await FinanceModel.findOne({ ownerId, caseId }).lean();
  if (doc) return { ...doc, agreements: agreementsOf(doc) };
  const { currency } = await getPractice(scope);
  return { _id: newId(), ownerId, caseId, currency, version: 0, parties: [], pairs: [], agreements: [], exchanges: [] };
}

export const partyOfStatement = (
  { parties }: Pick<Statement, "parties">,
  partyId: string,
): Statement["parties"][number] =>
  parties.find((one) => one.partyId === partyId) ?? { partyId, noneIn: [], completeOn: "", takenOver: [], left: [] };

type Said = Pick<Statement, "parties" | "exchanges">;

/** Who discloses of those who take part now. */
export const disclosingParties = ({ parties }: Pick<Case, "parties">, statement: Pick<Said, "parties">): Party[] =>
  parties.filter(({ partyId, leftAt }) => leftAt === null && partyOfStatement(statement, partyId).isLeftOut !== true);

/** Whose finances a statement is of: also who left since the last exchange, as what they disclosed was exchanged then. */
export function partiesOfStatement(theCase: Pick<Case, "parties">, statement: Said): Party[] {
  const present = disclosingParties(theCase, statement);
  const consents = statement.exchanges.at(-1)?.consents ?? [];
  const hasExchanged = ({ partyId }: Party) => consents.some((consent) => consent.partyId === partyId);
  return theCase.parties.filter((party) => present.includes(party) || (party.leftAt !== null && hasExchanged(party)));
}

/** Throws for whoever discloses nothing, or nothing any more. */
export async function disclosingParty(scope: Scope, theCase: Case, partyId: string): Promise<Party> {
  const party = requireParty(theCase, partyId);
  const { name, label } = party;
  if (party.leftAt !== null)
    throw wrongState(`${name} (${label}) has left this case. What they disclosed stays as it is.`);
  if (!disclosingParties(theCase, await statementOf(scope, theCase.id)).includes(party))
    throw wrongState(`It is recorded that ${name} (${label}) does not disclose. Change that first.`);
  return party;
}

/** Whether the others have not heard yet of which kinds somebody says that there is nothing, or not any more. */
export const isNoneWaiting = ({ noneIn, shownNoneIn = [] }: Statement["parties"][number]): boolean =>
  noneIn.toSorted().join(" ") !== shownNoneIn.toSorted().join(" ");

export const withParty = (
  { parties }: Statement,
  changed: Statement["parties"][number],
): Pick<Statement, "parties"> => ({
  parties: [...parties.filter(({ partyId }) => partyId !== changed.partyId), changed],
});

/** Stores what was changed of it; call it in a transaction. Throws CONFLICT where somebody else was faster. */
export async function storeStatement(scope: Scope, before: Statement, change: Partial<Statement>): Promise<void> {
  const { ownerId } = scope;
  const { agreements, ...plain } = change;
  const sealed = agreements ? { agreementsEnc: sealAgreements(before, agreements) } : {};
  const stored = await FinanceModel.updateOne(
    { ownerId, _id: before._id, version: before.version },
    { $set: { ...plain, ...sealed }, $inc: { version: 1 } },
  );
  if (stored.matchedCount > 0) return;
  if (before.version > 0) throw changedElsewhere();
  const { agreements: none, ...fresh } = { ...before, ...change };
  try {
    await FinanceModel.create([{ ...fresh, version: 1, agreementsEnc: sealAgreements(before, none) }]);
  } catch (error) {
    throw isDuplicateKey(error) ? changedElsewhere() : error;
  }
}

const changedElsewhere = () => stale("statement");

/** The statement as it stood on the screen of whoever changes it. */
export async function statementAt(scope: Scope, caseId: string, version: number): Promise<Statement> {
  const statement = await statementOf(scope, caseId);
  if (statement.version !== version) throw changedElsewhere();
  return statement;
}

/**
 * In the transaction that changes or removes a figure: what was agreed of it is not agreed any more, and whoever has the
 * statement on the screen looks again before they record something of it.
 */
export async function forgetAgreed(scope: Scope, theCase: Case, figureId: string): Promise<void> {
  const statement = await statementOf(scope, theCase.id);
  const agreements = statement.agreements.filter(({ figureIds }) => !figureIds.includes(figureId));
  await storeStatement(scope, statement, { agreements });
  if (agreements.length < statement.agreements.length)
    await tellOfFinances(scope, theCase, "An agreed value ended, because a figure that it rests on changed");
}

/** The statement without what was agreed of exactly these. */
export const withoutAgreed = (
  { agreements }: Pick<Statement, "agreements">,
  figureIds: readonly string[],
): StoredAgreement[] => agreements.filter((one) => keyOfFigures(one.figureIds) !== keyOfFigures(figureIds));

/** A line of the practice's history: it names no thing and no amount. */
export const tellOfFinances = (scope: Scope, theCase: Pick<Case, "id">, text: string): Promise<void> =>
  recordEvent(scope, { kind: "case", text, caseId: theCase.id, clientIds: [], visibility: PRACTICE_ONLY });
