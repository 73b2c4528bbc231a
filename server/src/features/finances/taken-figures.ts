// Figures out of what a party answered: all at once the first time, and of newer answers what somebody decides on.
import type { z } from "zod";
import type { Case, Party } from "@app/shared/cases";
import type { AnsweredFigure } from "@app/shared/finance-answers";
import type { decideFigureSchema, Finances, FigureSource, takeOverSchema } from "@app/shared/finances";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type DisclosureAnswers, disclosureAnswers } from "../submissions/disclosure-answers.service.ts";
import { givenBy, proposalsFor } from "./figure-proposals.ts";
import { changeFigure, findFigure, insertFigures, removeFigure } from "./figures.service.ts";
import { caseWithFinances, getFinances, readableFigures } from "./finances.service.ts";
import {
  disclosingParty,
  partyOfStatement,
  type Statement,
  statementAt,
  statementOf,
  storeStatement,
  tellOfFinances,
  withParty,
} from "./statements.ts";

interface Taking {
  theCase: Case;
  party: Party;
  statement: Statement;
  answers: DisclosureAnswers;
}

/** Every figure of the first answers, once: the same answers taken over again change nothing. */
export const takeOver = (scope: Scope, input: z.output<typeof takeOverSchema>): Promise<Finances> =>
  inTransaction(async () => {
    const { caseId, partyId, submissionId } = input;
    const known = partyOfStatement(await statementOf(scope, caseId), partyId);
    if (known.takenOver.includes(submissionId)) return getFinances(scope, { caseId });
    const { theCase, party, statement, answers } = await takingOf(scope, input);
    if (known.takenOver.length > 0)
      throw wrongState("Answers of this participant were taken over before. Decide on each thing that changed since.");
    if (answers.figures.length === 0)
      throw wrongState("No figure that is known here stands in these answers. Enter the figures by hand.");
    await insertFigures(
      scope,
      theCase,
      party,
      answers.figures.map((answered) => newFigure(answered, answers)),
    );
    const noneIn = [...new Set([...known.noneIn, ...answers.noneIn])];
    await storeStatement(
      scope,
      statement,
      withParty(statement, { ...known, noneIn, noneAt: now(), takenOver: [submissionId] }),
    );
    await tellOfFinances(scope, theCase, `The figures of ${party.label} were taken over from their answers`);
    return getFinances(scope, { caseId });
  });

/** Takes over what newer answers say of one thing, or leaves it as it is. */
export const decideFigure = (scope: Scope, input: z.output<typeof decideFigureSchema>): Promise<Finances> =>
  inTransaction(async () => {
    const { caseId, partyId, submissionId, key, isTakenOver } = input;
    const { theCase, party, statement, answers } = await takingOf(scope, input);
    const known = partyOfStatement(statement, partyId);
    const own = (await readableFigures(scope, theCase)).filter((doc) => doc.partyId === partyId);
    const proposal = proposalsFor({ answers, own, left: known.left }).find((one) => one.key === key);
    if (!proposal) throw stale("statement");
    if (isTakenOver) await apply(scope, { theCase, party, statement, answers }, proposal);
    // What was changed has counted the statement up already.
    const left = isTakenOver ? known.left : [...known.left, { submissionId, key }];
    await storeStatement(scope, await statementOf(scope, caseId), withParty(statement, { ...known, left }));
    const did = isTakenOver ? "was taken over" : "was left as it is";
    await tellOfFinances(scope, theCase, `A newer answer of ${party.label} ${did}`);
    return getFinances(scope, { caseId });
  });

async function takingOf(
  scope: Scope,
  { caseId, version, partyId, submissionId }: z.output<typeof takeOverSchema>,
): Promise<Taking> {
  const theCase = await caseWithFinances(scope, caseId);
  const party = await disclosingParty(scope, theCase, partyId);
  const statement = await statementAt(scope, caseId, version);
  const answers = await disclosureAnswers(scope, theCase, party);
  if (answers?.submissionId !== submissionId)
    throw stale("form", `${party.name} sent in newer answers meanwhile. Look at those, and take them over.`);
  if (answers.currency !== statement.currency)
    throw wrongState(
      `These answers are in ${answers.currency}, and the statement of this case is in ${statement.currency}. Enter the figures by hand.`,
    );
  return { theCase, party, statement, answers };
}

const sourceIn = (key: string, { submissionId, formName, formNumber, on }: DisclosureAnswers): FigureSource => ({
  kind: "answers",
  submissionId,
  formName,
  formNumber,
  on,
  key,
});

const newFigure = (answered: AnsweredFigure, answers: DisclosureAnswers) => ({
  figure: givenBy(answered, answers),
  source: sourceIn(answered.key, answers),
  isForMediators: !answers.isForPractice(answered.fieldId),
});

async function apply(
  scope: Scope,
  { theCase, party, answers }: Taking,
  { key, figureId, after }: { key: string; figureId: string | null; after: unknown },
): Promise<void> {
  const answered = answers.figures.find((one) => one.key === key);
  const doc = figureId === null ? null : (await findFigure(scope, figureId)).doc;
  if (after === null) {
    if (doc) await removeFigure(scope, { doc, theCase }, true);
  } else if (answered && doc) {
    const { figure, source } = newFigure(answered, answers);
    await changeFigure(scope, { doc, theCase }, figure, source);
  } else if (answered) await insertFigures(scope, theCase, party, [newFigure(answered, answers)]);
}
