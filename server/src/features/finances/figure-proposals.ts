// What newer answers say otherwise than the figures that stand: before and after, for somebody to decide on.
import type { AnsweredFigure } from "@app/shared/finance-answers";
import type { FigureProposal, GivenFigure } from "@app/shared/finances";
import { foldText } from "@app/shared/text";
import type { DisclosureAnswers } from "../submissions/disclosure-answers.service.ts";
import { type FigureDoc, givenOf } from "./finances.model.ts";

interface Compared {
  answers: DisclosureAnswers;
  /** All figures of the party that whoever asks may read, also those that were removed. */
  own: readonly FigureDoc[];
  left: readonly { submissionId: string; key: string }[];
}

/** As it would be stored; the day and the paper that stand stay where the amount is the same. */
export function givenBy(answered: AnsweredFigure, { on }: Pick<DisclosureAnswers, "on">): GivenFigure {
  const { category, label, amountMinor, owner } = answered;
  return { category, label, amountMinor, owner, asOf: on, evidenceFileId: null };
}

/** What says the same needs no decision, nor what was decided on. */
export function proposalsFor({ answers, own, left }: Compared): FigureProposal[] {
  const { submissionId } = answers;
  const isLeft = (key: string) => left.some((one) => one.submissionId === submissionId && one.key === key);
  const there = own.filter(({ deletedAt }) => deletedAt === null);
  const matches = matched(answers, own);
  const changes = answers.figures.flatMap((answered): FigureProposal[] => {
    const { key } = answered;
    const doc = matches.get(key);
    // Taken over before, and perhaps put right or removed since.
    if (isLeft(key) || (doc && isFrom(doc, submissionId, key))) return [];
    const after = givenBy(answered, answers);
    if (!doc || doc.deletedAt !== null) return [{ key, figureId: null, after }];
    return saysTheSame(givenOf(doc), after) ? [] : [{ key, figureId: doc._id, after }];
  });
  const met = new Set([...matches.values()].map(({ _id }) => _id));
  const gone = there.filter((doc) => doc.source.kind === "answers" && !met.has(doc._id) && !isLeft(goneKey(doc)));
  return [...changes, ...gone.map((doc): FigureProposal => ({ key: goneKey(doc), figureId: doc._id, after: null }))];
}

const goneKey = ({ _id }: Pick<FigureDoc, "_id">): string => `gone.${_id}`;

const isFrom = ({ source }: FigureDoc, submissionId: string, key: string): boolean =>
  source.kind === "answers" && source.submissionId === submissionId && source.key === key;

const saysTheSame = (one: GivenFigure, other: GivenFigure): boolean =>
  one.amountMinor === other.amountMinor && one.owner === other.owner && one.label === other.label;

/** Which figure each answer is of: the one that it made, or else one of the same kind with the same name. */
function matched({ submissionId, figures }: DisclosureAnswers, own: readonly FigureDoc[]): Map<string, FigureDoc> {
  const matches = new Map<string, FigureDoc>();
  const free = new Set(own);
  const take = (key: string, doc: FigureDoc | undefined) => {
    if (!doc) return;
    matches.set(key, doc);
    free.delete(doc);
  };
  for (const { key } of figures)
    take(
      key,
      [...free].find((doc) => isFrom(doc, submissionId, key)),
    );
  for (const { key, category, label } of figures)
    if (!matches.has(key))
      take(
        key,
        [...free].find((doc) => doc.deletedAt === null && isNamed(doc, category, label)),
      );
  return matches;
}

const isNamed = (doc: FigureDoc, category: string, label: string): boolean =>
  doc.category === category && foldText(givenOf(doc).label) === foldText(label);
