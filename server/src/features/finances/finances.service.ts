// The finances of a case as the practice sees them: what each disclosed beside what the others did.
import type { Case, Party } from "@app/shared/cases";
import type { DisclosingParty, Figure, Finances } from "@app/shared/finances";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { definePartyTrace } from "../cases/party-traces.service.ts";
import { goneFiles } from "../files/file-content.service.ts";
import { namesOfFiles } from "../files/marked-files.service.ts";
import { disclosureAnswers } from "../submissions/disclosure-answers.service.ts";
import { readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { proposalsFor } from "./figure-proposals.ts";
import { disclosingParties, partyOfStatement, type Statement, statementOf } from "./statements.ts";
import { type FigureDoc, FigureModel, toFigure } from "./finances.model.ts";

definePartyTrace("figures were entered", async ({ ownerId }, { caseId, partyId }) =>
  Boolean(await FigureModel.exists({ ownerId, caseId, partyId, deletedAt: null })),
);

/** Throws where the case has no financial disclosure: only separating couples and families exchange it. */
export async function caseWithFinances(scope: Scope, caseId: string): Promise<Case> {
  const theCase = await getCase(scope, caseId);
  if (theCase.domain !== "family")
    throw wrongState("Only in a family case the participants disclose their finances to each other.");
  return theCase;
}

/** The figures of a case that this person may read, in the order in which they were entered. */
export async function readableFigures(scope: Scope, theCase: Case): Promise<FigureDoc[]> {
  const reader = staffReader(scope, theCase);
  const filter = { ownerId: scope.ownerId, caseId: theCase.id, ...readableFilter(reader) };
  return withPapers(scope.ownerId, await FigureModel.find(filter).sort({ createdAt: 1, _id: 1 }).lean());
}

/** A paper that is not on file any more shows nothing. */
export async function withPapers(ownerId: string, docs: FigureDoc[]): Promise<FigureDoc[]> {
  const gone = await goneFiles(
    ownerId,
    docs.flatMap(({ evidenceFileId }) => evidenceFileId ?? []),
  );
  return docs.map((doc) => (gone.has(doc.evidenceFileId ?? "") ? { ...doc, evidenceFileId: null } : doc));
}

/** With the name of the file that shows each, where whoever asks may read that. */
export async function toFigures(scope: Scope, theCase: Case, docs: readonly FigureDoc[]): Promise<Figure[]> {
  const names = await namesOfFiles(
    scope,
    theCase,
    docs.flatMap(({ evidenceFileId }) => evidenceFileId ?? []),
  );
  return docs.map((doc) => toFigure(doc, names.get(doc.evidenceFileId ?? "") ?? ""));
}

export async function getFinances(scope: Scope, { caseId }: { caseId: string }): Promise<Finances> {
  const theCase = await caseWithFinances(scope, caseId);
  const { ownerId } = scope;
  const [statement, docs, count] = await Promise.all([
    statementOf(scope, caseId),
    readableFigures(scope, theCase),
    FigureModel.countDocuments({ ownerId, caseId }),
  ]);
  const parties = disclosingParties(theCase, statement);
  const others = theCase.parties.filter((party) => party.leftAt === null && !parties.includes(party));
  const ofThese = docs.filter(({ partyId }) => parties.some((party) => party.partyId === partyId));
  const shown = new Set(ofThese.map(({ _id }) => _id));
  const isShown = ({ figureIds }: { figureIds: string[] }) => figureIds.every((id) => shown.has(id));
  const last = statement.exchanges.at(-1);
  return {
    caseId,
    currency: statement.currency,
    version: statement.version,
    parties: await Promise.all(parties.map((party) => toParty(scope, { theCase, party, statement, docs }))),
    others: others.map(({ partyId, label, name }) => ({ partyId, label, name })),
    figures: await toFigures(scope, theCase, ofThese),
    pairs: statement.pairs.filter(isShown),
    agreements: statement.agreements.filter(isShown),
    exchange: last ? { ...last, at: last.at.toISOString() } : null,
    hiddenCount: count - docs.length,
  };
}

interface Disclosing {
  theCase: Case;
  party: Party;
  statement: Statement;
  docs: readonly FigureDoc[];
}

async function toParty(scope: Scope, { theCase, party, statement, docs }: Disclosing): Promise<DisclosingParty> {
  const { partyId, label, name } = party;
  const { noneIn, completeOn, takenOver, left } = partyOfStatement(statement, partyId);
  const answers = await disclosureAnswers(scope, theCase, party);
  if (!answers) return { partyId, label, name, noneIn, completeOn, answers: null };
  const { submissionId, formName, formNumber, on, figures } = answers;
  const own = docs.filter((doc) => doc.partyId === partyId);
  const isTakenOver = takenOver.includes(submissionId);
  const isFirst = takenOver.length === 0;
  const proposals = isTakenOver || isFirst ? [] : proposalsFor({ answers, own, left });
  const said = { submissionId, formName, formNumber, on, count: figures.length, isTakenOver, proposals };
  return { partyId, label, name, noneIn, completeOn, answers: said };
}
