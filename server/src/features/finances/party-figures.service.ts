// What of the finances goes to the participants: to each the figures that they may read, to all of them those that all may.
import mongoose from "mongoose";
import type { Case, Party } from "@app/shared/cases";
import type { Figure, Finances } from "@app/shared/finances";
import type { Readable } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { namesForParty } from "../files/party-files.service.ts";
import { type ForParty, openFor, readableFor } from "../visibility/for-party.service.ts";
import { withPapers } from "./finances.service.ts";
import { FigureModel, type FinanceDoc, readableFigure, toFigure } from "./finances.model.ts";
import { disclosingParties, isNoneWaiting, partiesOfStatement, statementOf } from "./statements.ts";

export type FigureForParty = Figure & Readable;

/** The figures that this party may read: their own, and what the others exchanged with them. */
export async function partyFigures(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly FigureForParty[]>> {
  const { ownerId } = scope;
  const stored = await FigureModel.find({ ownerId, caseId: theCase.id, deletedAt: null })
    .sort({ createdAt: 1, _id: 1 })
    .lean();
  const docs = await withPapers(ownerId, stored);
  const papers = docs.flatMap(({ evidenceFileId }) => evidenceFileId ?? []);
  const names = await namesForParty(scope, { theCase, partyId }, papers);
  const items = docs.map((doc) => ({
    ...toFigure(doc, names.get(doc.evidenceFileId ?? "") ?? ""),
    ...readableFigure(doc),
  }));
  return readableFor({ theCase, partyId }, items);
}

export interface SharedFinances extends Pick<Finances, "figures" | "pairs" | "agreements" | "currency"> {
  /** Whose they are. */
  parties: { partyId: string; name: string; noneIn: Finances["parties"][number]["noneIn"] }[];
  /** When they were exchanged; null before. */
  exchangedAt: Date | null;
  /** The day on which they had exchanged it on paper, where it was recorded later; else empty. */
  handedOverOn: string;
  /** Whether each of its readers consented to the last exchange. */
  isExchanged: boolean;
  /** Whether there are figures that not all of them have been shown. */
  isWaiting: boolean;
}

/** Who is to read a paper of the finances: those who disclose, and take part. */
export const disclosersOf = async (scope: Scope, theCase: Case): Promise<Party[]> =>
  disclosingParties(theCase, await statementOf(scope, theCase.id));

/** What every one of these readers may read of what was disclosed. */
export async function financesForAll(scope: Scope, theCase: Case, readers: readonly Party[]): Promise<SharedFinances> {
  const statement = await statementOf(scope, theCase.id);
  const parties = partiesOfStatement(theCase, statement);
  const readable = await Promise.all(
    readers.map(async ({ partyId }) =>
      openFor(await partyFigures(scope, theCase, partyId), { caseId: theCase.id, partyId }),
    ),
  );
  const present = new Set(parties.map(({ partyId }) => partyId));
  const [first = [], ...others] = readable;
  const figures = first
    .filter(({ id, partyId }) => present.has(partyId) && others.every((each) => each.some((one) => one.id === id)))
    .map((figure) => ({ ...figure, evidenceName: nameForAll(figure, others) }));
  const shown = new Set(figures.map(({ id }) => id));
  const isShown = ({ figureIds }: { figureIds: string[] }) => figureIds.every((id) => shown.has(id));
  return {
    figures,
    pairs: statement.pairs.filter(isShown),
    agreements: statement.agreements.filter(isShown),
    currency: statement.currency,
    parties: parties.map(({ partyId, name }) => ({
      partyId,
      name,
      noneIn: figures.length > 0 ? (statement.parties.find((one) => one.partyId === partyId)?.shownNoneIn ?? []) : [],
    })),
    exchangedAt: figures.length > 0 ? (statement.exchanges.at(-1)?.at ?? null) : null,
    handedOverOn: handedOverOn(statement.exchanges.at(-1)),
    isExchanged: readers.every(({ partyId }) =>
      statement.exchanges.at(-1)?.consents.some((consent) => consent.partyId === partyId),
    ),
    isWaiting:
      (await isAnyWaiting(scope, theCase, { partyIds: [...present], shown: [...shown] })) ||
      (statement.exchanges.length > 0 &&
        statement.parties.some((party) => present.has(party.partyId) && isNoneWaiting(party))),
  };
}

/** They all had consented by the last of these days. */
function handedOverOn(last: FinanceDoc["exchanges"][number] | undefined): string {
  if (!last?.areAsHandedOver) return "";
  const days = last.consents.map(({ on }) => on).toSorted();
  return days.at(-1) ?? "";
}

/** Whether one of these has a figure that is not among the shown ones, or took one out of which the others did not hear. */
async function isAnyWaiting(
  { ownerId }: Scope,
  { id: caseId }: Case,
  { partyIds, shown }: { partyIds: string[]; shown: string[] },
): Promise<boolean> {
  const ofThese = { ownerId, caseId, partyId: mongoose.trusted({ $in: partyIds }) };
  const isNew = { ...ofThese, deletedAt: null, _id: mongoose.trusted({ $nin: shown }) };
  const isGone = { ...ofThese, deletedAt: mongoose.trusted({ $ne: null }), wasShown: true };
  return Boolean((await FigureModel.exists(isNew)) ?? (await FigureModel.exists(isGone)));
}

/** What shows a figure is named where everybody may read it. */
const nameForAll = ({ id, evidenceName }: Figure, others: readonly (readonly Figure[])[]): string =>
  others.every((each) => each.find((one) => one.id === id)?.evidenceName === evidenceName) ? evidenceName : "";
