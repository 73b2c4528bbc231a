// What is recorded of the whole: that somebody has nothing of a kind, that this is all, what is one thing, what both agree.
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import { FINANCE_CATEGORY_NAMES } from "@app/shared/finance-categories";
import { isShared, keyOfFigures } from "@app/shared/finance-lines";
import {
  type agreeFigureSchema,
  type Finances,
  ONLY_MEDIATORS_RECORD,
  type pairFiguresSchema,
  type setCompleteSchema,
  type setNoneSchema,
  type takeBackAgreedSchema,
} from "@app/shared/finances";
import { instantOf } from "@app/shared/wall-time";
import { addDays } from "@app/shared/days";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { answersFor } from "@app/shared/team-access";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { takePartiesTurn } from "../cases/case-parties.service.ts";
import { badField, forbidden, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive, assertInCase } from "../cases/case-days.service.ts";
import { caseWithFinances, getFinances, readableFigures } from "./finances.service.ts";
import type { FigureDoc } from "./finances.model.ts";
import {
  disclosingParties,
  disclosingParty,
  partyOfStatement,
  type Statement,
  statementAt,
  storeStatement,
  tellOfFinances,
  withoutAgreed,
  withParty,
} from "./statements.ts";

interface Changing {
  theCase: Case;
  statement: Statement;
  /** Those that this person may read. */
  figures: FigureDoc[];
}

interface Change {
  fields: Partial<Statement>;
  /** For the practice's history. */
  told: string;
}

/** One change of the statement as it stood on the screen; the answer is the statement as it is then. */
export const changeStatement = (
  scope: Scope,
  { caseId, version }: { caseId: string; version: number },
  change: (current: Changing) => Promise<Change>,
): Promise<Finances> =>
  inTransaction(async () => {
    // Whoever joins at this moment comes before it, and is asked too, or after it.
    await takePartiesTurn(scope.ownerId, caseId);
    const theCase = await caseWithFinances(scope, caseId);
    const statement = await statementAt(scope, caseId, version);
    const figures = (await readableFigures(scope, theCase)).filter(({ deletedAt }) => deletedAt === null);
    const { fields, told } = await change({ theCase, statement, figures });
    await storeStatement(scope, statement, fields);
    await tellOfFinances(scope, theCase, told);
    return getFinances(scope, { caseId });
  });

/** Throws for everybody who does not answer for the case: whoever records a consent is who heard it. */
export function assertRecords(scope: Scope, { mediators }: Case): void {
  if (!answersFor(scope, mediators)) throw forbidden(ONLY_MEDIATORS_RECORD);
}

export const setNone = (scope: Scope, input: z.output<typeof setNoneSchema>): Promise<Finances> =>
  changeStatement(scope, input, async ({ theCase, statement, figures }) => {
    const { partyId, category, isNone } = input;
    const party = await disclosingParty(scope, theCase, partyId);
    if (isNone && figures.some((one) => one.partyId === partyId && one.category === category))
      throw wrongState(
        `${party.name} has figures under ${FINANCE_CATEGORY_NAMES[category].toLowerCase()}. Remove them first.`,
      );
    const known = partyOfStatement(statement, partyId);
    const others = known.noneIn.filter((one) => one !== category);
    const noneIn = isNone ? [...others, category] : others;
    const says = isNone ? "says there is nothing" : "does not say any more that there is nothing";
    return {
      fields: withParty(statement, { ...known, noneIn, noneAt: now() }),
      told: `${party.label} ${says} under ${FINANCE_CATEGORY_NAMES[category].toLowerCase()}`,
    };
  });

export const setComplete = (scope: Scope, input: z.output<typeof setCompleteSchema>): Promise<Finances> =>
  changeStatement(scope, input, async ({ theCase, statement, figures }) => {
    const { partyId, on } = input;
    const party = await disclosingParty(scope, theCase, partyId);
    assertRecords(scope, theCase);
    await assertInCase(scope, theCase, "on", on);
    await assertAlive(scope, party, "on", on);
    const known = partyOfStatement(statement, partyId);
    if (on !== "" && known.noneIn.length === 0 && !figures.some((one) => one.partyId === partyId))
      throw wrongState(`Nothing is entered of ${party.name} yet. Enter their figures first.`);
    const said = on === "" ? "is not complete any more" : "is complete";
    return {
      fields: withParty(statement, { ...known, completeOn: on }),
      told: `The financial disclosure of ${party.label} ${said}`,
    };
  });

/** A person says that these are one thing, or are not: what was agreed of them before ends. */
export const pairFigures = (scope: Scope, input: z.output<typeof pairFiguresSchema>): Promise<Finances> =>
  changeStatement(scope, input, ({ theCase, statement, figures }) => {
    const { figureIds, isPaired } = input;
    const chosen = figuresOf({ theCase, statement, figures }, figureIds);
    const others = statement.pairs.filter((pair) => !pair.figureIds.some((id) => figureIds.includes(id)));
    const agreements = statement.agreements.filter((one) => !one.figureIds.some((id) => figureIds.includes(id)));
    if (!isPaired)
      return Promise.resolve({
        fields: { pairs: others, agreements },
        told: "Figures are not one thing any more",
      });
    if (statement.pairs.length - others.length > 0)
      throw wrongState("One of these is one thing with another figure already. Take them apart first.");
    if (new Set(chosen.map(({ partyId }) => partyId)).size < chosen.length)
      throw badField("figureIds", "Choose one figure of each participant.");
    if (!isShared({ figures: chosen }))
      throw badField(
        "figureIds",
        "Each says that it is theirs alone, so these are two things. Put right whose it is first.",
      );
    if (new Set(chosen.map(({ category }) => category)).size > 1)
      throw badField("figureIds", "These stand under different headings. Put them under the same one first.");
    return Promise.resolve({
      fields: { pairs: [...others, { figureIds }], agreements },
      told: "Figures of the participants were put beside each other as one thing",
    });
  });

function figuresOf({ theCase, statement, figures }: Changing, ids: readonly string[]): FigureDoc[] {
  const present = disclosingParties(theCase, statement);
  return ids.map((id) => {
    const figure = figures.find(({ _id }) => _id === id);
    if (!figure || !present.some(({ partyId }) => partyId === figure.partyId)) throw notFound("Figure");
    return figure;
  });
}

/** What one of them agreed. Another amount begins anew; it is agreed once each has. */
export const agreeFigure = (scope: Scope, input: z.output<typeof agreeFigureSchema>): Promise<Finances> =>
  changeStatement(scope, input, async ({ theCase, statement, figures }) => {
    const { figureIds, partyId, amountMinor, on } = input;
    assertRecords(scope, theCase);
    const party = await disclosingParty(scope, theCase, partyId);
    const chosen = figuresOf({ theCase, statement, figures }, figureIds);
    if (chosen.some(({ exchangedAt }) => exchangedAt === null))
      throw wrongState(
        "Not everybody has seen these figures yet, so nothing can be agreed of them. Exchange them first.",
      );
    const key = keyOfFigures(figureIds);
    const pair = statement.pairs.find((one) => one.figureIds.some((id) => figureIds.includes(id)));
    if (keyOfFigures(pair?.figureIds ?? figureIds) !== key || (!pair && figureIds.length > 1))
      throw badField("figureIds", "These figures are not one thing any more. Look at the statement as it is now.");
    await assertInCase(scope, theCase, "on", on);
    await assertAlive(scope, party, "on", on);
    const dayEnds = instantOf(await practiceTimeZone(scope.ownerId), { day: addDays(on, 1), time: "00:00" });
    if (chosen.some(({ exchangedAt }) => exchangedAt !== null && dayEnds < exchangedAt))
      throw badField("on", "These figures were not exchanged yet on that day. Enter when they agreed it of these.");
    const standing = statement.agreements.find((one) => keyOfFigures(one.figureIds) === key);
    const before = standing?.amountMinor === amountMinor ? standing.by : [];
    const own = { partyId, on, recordedByName: scope.userName, at: now().toISOString() };
    const by = [...before.filter((one) => one.partyId !== partyId), own];
    return {
      fields: { agreements: [...withoutAgreed(statement, figureIds), { figureIds, amountMinor, by }] },
      told: `${party.label} agreed a value of the financial statement`,
    };
  });

export const takeBackAgreed = (scope: Scope, input: z.output<typeof takeBackAgreedSchema>): Promise<Finances> =>
  changeStatement(scope, input, ({ theCase, statement }) => {
    assertRecords(scope, theCase);
    const agreements = withoutAgreed(statement, input.figureIds);
    if (agreements.length === statement.agreements.length) throw wrongState("Nothing is agreed of this any more.");
    return Promise.resolve({
      fields: { agreements },
      told: "An agreed value of the financial statement was taken back",
    });
  });
