// Figures that somebody enters, changes and takes out. Each keeps where it is known from and what stood there before.
import type { z } from "zod";
import type { Case, Party } from "@app/shared/cases";
import { FINANCE_CATEGORY_NAMES } from "@app/shared/finance-categories";
import {
  type addFigureSchema,
  type Figure,
  type figureHistorySchema,
  FIGURES_MAX,
  type FigureSource,
  type GivenFigure,
  type setFigureRemovedSchema,
  type updateFigureSchema,
} from "@app/shared/finances";
import { MEDIATOR_ONLY, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertStillParties } from "../cases/named-parties.service.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { readableFile } from "../files/files.service.ts";
import { namesOfFiles } from "../files/marked-files.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import { caseWithFinances, toFigures } from "./finances.service.ts";
import { contentOfFigure, type FigureDoc, FigureModel, givenOf, sealFigure } from "./finances.model.ts";
import { disclosingParty, forgetAgreed, tellOfFinances } from "./statements.ts";

/** How often a figure as it stood before is kept; the oldest go. */
const EARLIER_MAX = 30;

/** Before it is exchanged it is for the eyes of whoever disclosed it; the answer to a question for mediators is theirs. */
const readersBefore = ({ partyId, isForMediators }: Pick<FigureDoc, "partyId" | "isForMediators">): Visibility =>
  isForMediators ? MEDIATOR_ONLY : { scope: "party", partyIds: [partyId], aboutPartyIds: [] };

export const addFigure = (
  scope: Scope,
  { caseId, partyId, figure }: z.output<typeof addFigureSchema>,
): Promise<Figure> =>
  inTransaction(async () => {
    const theCase = await caseWithFinances(scope, caseId);
    const party = await disclosingParty(scope, theCase, partyId);
    await assertGiven(scope, theCase, { partyId, figure });
    const source = await enteredBy(scope);
    const [doc] = await insertFigures(scope, theCase, party, [{ figure, source, isForMediators: false }]);
    if (!doc) throw new Error("the figure that was just stored is missing");
    await tellOfFinances(scope, theCase, `A figure of ${party.label} was entered: ${categoryOf(figure)}`);
    return oneFigure(scope, theCase, doc);
  });

export const enteredBy = async ({ ownerId, userName }: Scope): Promise<FigureSource> => ({
  kind: "entered",
  byName: userName,
  on: await practiceToday(ownerId),
});

interface NewFigure {
  figure: GivenFigure;
  source: FigureSource;
  isForMediators: boolean;
}

/** Call it in a transaction. */
export async function insertFigures(
  scope: Scope,
  { id: caseId }: Case,
  { partyId }: Party,
  figures: readonly NewFigure[],
): Promise<FigureDoc[]> {
  const { ownerId } = scope;
  await assertStillParties(ownerId, caseId, [partyId]);
  if ((await FigureModel.countDocuments({ ownerId, caseId })) + figures.length > FIGURES_MAX)
    throw wrongState(`A case has at most ${FIGURES_MAX} figures. Change one that is there instead.`);
  const at = now();
  const docs = figures.map(({ figure, source, isForMediators }, index) => {
    const { label, amountMinor, ...plain } = figure;
    const placed = { ownerId, _id: newId() };
    return {
      ...placed,
      ...plain,
      caseId,
      partyId,
      source,
      isForMediators,
      contentEnc: sealFigure(placed, { label, amountMinor, earlier: [] }),
      visibility: readersBefore({ partyId, isForMediators }),
      // In the order in which they stand in the answers.
      createdAt: new Date(at.getTime() + index),
      savedAt: at,
      savedByName: scope.userName,
    };
  });
  return (await FigureModel.create(docs, { ordered: true })).map((made) => made.toObject());
}

/** Throws where the day has not come, or the paper is no file of the case that this person may read. */
async function assertGiven(
  scope: Scope,
  theCase: Case,
  { partyId, figure: { asOf, evidenceFileId } }: { partyId: string; figure: GivenFigure },
): Promise<void> {
  await assertNotLater(scope, "asOf", asOf);
  if (evidenceFileId !== null && !(await namesOfFiles(scope, theCase, [evidenceFileId])).has(evidenceFileId))
    throw badField("evidenceFileId", "This file is not in the case any more. Choose another one, or none.");
  if (evidenceFileId !== null && isOfOthers(await readableFile(scope, evidenceFileId), partyId))
    throw badField(
      "evidenceFileId",
      "This paper is another participant’s own, so it shows nothing of this one’s. Choose one of theirs, or one for all.",
    );
}

const isOfOthers = ({ visibility }: Pick<FigureDoc, "visibility">, partyId: string): boolean =>
  visibility.aboutPartyIds.some((id) => id !== partyId) ||
  (visibility.scope === "party" && !visibility.partyIds.includes(partyId));

/** A stored figure that this person may read, with its case; to everybody else it looks missing. */
export async function findFigure(scope: Scope, id: string): Promise<{ doc: FigureDoc; theCase: Case }> {
  const doc = await FigureModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Figure");
  const [theCase] = await findVisibleCases(scope, [doc.caseId]);
  if (!theCase || !mayRead(staffReader(scope, theCase), doc.visibility)) throw notFound("Figure");
  return { doc, theCase };
}

export async function getFigure(scope: Scope, id: string): Promise<Figure> {
  const { doc, theCase } = await findFigure(scope, id);
  return oneFigure(scope, theCase, doc);
}

async function oneFigure(scope: Scope, theCase: Case, doc: FigureDoc): Promise<Figure> {
  const [figure] = await toFigures(scope, theCase, [doc]);
  if (!figure) throw notFound("Figure");
  return figure;
}

/** Who changes a figure by hand is where it is known from then; its paper is what they name. */
export const updateFigure = (
  scope: Scope,
  { id, version, figure }: z.output<typeof updateFigureSchema>,
): Promise<Figure> =>
  inTransaction(async () => {
    const { doc, theCase } = await findFigure(scope, id);
    const party = await disclosingParty(scope, theCase, doc.partyId);
    if (doc.deletedAt !== null) throw wrongState("This figure was removed. Bring it back before you change it.");
    if (doc.version !== version) throw stale("figure");
    if (JSON.stringify(givenOf(doc)) === JSON.stringify(figure)) return oneFigure(scope, theCase, doc);
    await assertGiven(scope, theCase, { partyId: doc.partyId, figure });
    // A paper or a day that is added changes nothing of where the amount is known from.
    const { label, amountMinor, owner, category } = givenOf(doc);
    const says = JSON.stringify([label, amountMinor, owner, category]);
    const isSame = says === JSON.stringify([figure.label, figure.amountMinor, figure.owner, figure.category]);
    const source = isSame ? doc.source : await enteredBy(scope);
    const changed = await changeFigure(scope, { doc, theCase }, figure, source);
    await tellOfFinances(scope, theCase, `A figure of ${party.label} changed: ${categoryOf(figure)}`);
    return oneFigure(scope, theCase, changed);
  });

const categoryOf = ({ category }: Pick<GivenFigure, "category">): string => FINANCE_CATEGORY_NAMES[category];

interface Found {
  doc: FigureDoc;
  theCase: Case;
}

/** Call it in a transaction: what was agreed of it ends, and the others see it as it is now once it is exchanged again. */
export async function changeFigure(
  scope: Scope,
  { doc, theCase }: Found,
  figure: GivenFigure,
  source: FigureSource,
): Promise<FigureDoc> {
  const { label, amountMinor, ...plain } = figure;
  const before = {
    ...givenOf(doc),
    source: doc.source,
    savedAt: doc.savedAt.toISOString(),
    savedByName: doc.savedByName,
  };
  const earlier = [before, ...contentOfFigure(doc).earlier].slice(0, EARLIER_MAX);
  return storeFigure(
    scope,
    { doc, theCase },
    {
      ...plain,
      source,
      contentEnc: sealFigure(doc, { label, amountMinor, earlier }),
    },
  );
}

async function storeFigure(scope: Scope, { doc, theCase }: Found, fields: Partial<FigureDoc>): Promise<FigureDoc> {
  const saved = { savedAt: now(), savedByName: scope.userName, visibility: readersBefore(doc), exchangedAt: null };
  const wasShown = doc.wasShown === true || doc.exchangedAt !== null;
  const changed = await FigureModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: doc._id, version: doc.version },
    { $set: { ...fields, ...saved, wasShown }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!changed) throw stale("figure");
  await forgetAgreed(scope, theCase, doc._id);
  return changed;
}

/** Takes a figure out of the statement, which can be undone. */
export const setFigureRemoved = (
  scope: Scope,
  { id, isRemoved }: z.output<typeof setFigureRemovedSchema>,
): Promise<Figure> =>
  inTransaction(async () => {
    const found = await findFigure(scope, id);
    const party = await disclosingParty(scope, found.theCase, found.doc.partyId);
    if ((found.doc.deletedAt !== null) === isRemoved) return oneFigure(scope, found.theCase, found.doc);
    const changed = await removeFigure(scope, found, isRemoved);
    const did = isRemoved ? "was removed" : "is back";
    await tellOfFinances(scope, found.theCase, `A figure of ${party.label} ${did}: ${categoryOf(changed)}`);
    return oneFigure(scope, found.theCase, changed);
  });

export const removeFigure = (scope: Scope, found: Found, isRemoved: boolean): Promise<FigureDoc> =>
  storeFigure(scope, found, { deletedAt: isRemoved ? now() : null });

/** What stood there before, the last first. */
export async function figureHistory(scope: Scope, id: string): Promise<z.infer<typeof figureHistorySchema>> {
  const { doc } = await findFigure(scope, id);
  return { items: contentOfFigure(doc).earlier };
}
