// Two disclosures beside each other: what is one thing, how it adds up, and what does not fit or is not there. Free of zod.
import { dayText, moneyText } from "./answer-texts.ts";
import { addMonths } from "./days.ts";
import {
  FIGURES_APART_MONTHS,
  FINANCE_CATEGORIES,
  FINANCE_CATEGORY_NAMES,
  type FinanceCategory,
} from "./finance-categories.ts";
import { inWords } from "./in-words.ts";
import type { Figure, FigureAgreement, Finances } from "./finances.ts";

/** One thing of the statement: what one of them says of it, or each. */
export interface FinanceLine {
  /** Of its figures: the same for the same things. */
  key: string;
  category: FinanceCategory;
  label: string;
  figures: readonly Figure[];
  /** Both say that it is joint, or one does and the other names it too. */
  isPaired: boolean;
  agreement: FigureAgreement | null;
}

export type Statement = Pick<Finances, "figures" | "pairs" | "agreements" | "parties" | "currency">;

export const keyOfFigures = (ids: readonly string[]): string => ids.toSorted().join(" ");

/** In the order of the categories, and in each as they were entered. */
export function linesOfFinances({ figures, pairs, agreements, parties }: Statement): FinanceLine[] {
  const there = figures.filter(({ isRemoved }) => !isRemoved);
  const placeOf = ({ partyId }: Figure): number => parties.findIndex((party) => party.partyId === partyId);
  const byId = new Map(there.map((figure) => [figure.id, figure]));
  const grouped = pairs
    .map(({ figureIds }) =>
      figureIds.flatMap((id) => byId.get(id) ?? []).toSorted((one, other) => placeOf(one) - placeOf(other)),
    )
    .filter((group) => group.length > 1);
  const paired = new Map(grouped.flatMap((group) => group.map(({ id }) => [id, group] as const)));
  const groups = new Set(there.map((figure) => paired.get(figure.id) ?? [figure]));
  const lines = [...groups].flatMap((group): FinanceLine[] => {
    const [first] = group;
    if (!first) return [];
    const key = keyOfFigures(group.map(({ id }) => id));
    const agreement = agreements.find(({ figureIds }) => keyOfFigures(figureIds) === key) ?? null;
    return [
      { key, category: first.category, label: first.label, figures: group, isPaired: group.length > 1, agreement },
    ];
  });
  return FINANCE_CATEGORIES.flatMap((category) => lines.filter((line) => line.category === category));
}

/** What each of those who take part agreed; null while one of them has not. */
export function agreedMinor(
  { agreement }: Pick<FinanceLine, "agreement">,
  parties: readonly { partyId: string }[],
): number | null {
  const isByAll = parties.every(({ partyId }) => agreement?.by.some((one) => one.partyId === partyId));
  return agreement && isByAll ? agreement.amountMinor : null;
}

/** It belongs to more than whoever names it, so that the others have a word in it. */
export const isShared = ({ figures }: { figures: readonly Pick<Figure, "owner">[] }): boolean =>
  figures.some(({ owner }) => owner === "joint" || owner === "other");

/** Somebody who takes no part has a share in it: what is said of it is the whole, of which theirs is a part. */
const isOutside = ({ figures }: Pick<FinanceLine, "figures">): boolean =>
  figures.some(({ owner }) => owner === "outside");

/** Whose a thing is: somebody's alone or with an outsider, or joint; null while they do not say the same of it. */
export function ownerOf(
  { figures }: Pick<FinanceLine, "figures">,
  parties: readonly { partyId: string }[],
): string | null {
  const said = figures.map(({ owner, partyId }) => {
    if (owner !== "other") return owner === "joint" ? "joint" : partyId;
    const others = parties.filter((party) => party.partyId !== partyId);
    return others.length === 1 ? (others[0]?.partyId ?? null) : null;
  });
  // That it is the other's is no more than a word of whoever says it, until the other names it too.
  if (figures.length === 1 && figures[0]?.owner === "other") return null;
  const [owner = null] = said;
  return said.every((one) => one === owner) ? owner : null;
}

/** Where all say the same there is nothing to agree; null where they do not, or one does not know it yet. */
export function saidByAll({ figures }: Pick<FinanceLine, "figures">): number | null {
  const [first] = figures;
  if (!first || first.amountMinor === null) return null;
  return figures.every(({ amountMinor }) => amountMinor === first.amountMinor) ? first.amountMinor : null;
}

interface FinanceTotals {
  /** What each has alone, or with somebody outside; null while something of it is not known. */
  own: { partyId: string; amountMinor: number | null }[];
  /** Whether they have anything together. */
  isAnyJoint: boolean;
  /** What they have together; null while it is not clear of one thing what counts, or whose it is. */
  jointMinor: number | null;
}

/** Of lines of one category. Where something has no amount yet, neither has what it is added to. */
export function totalsOf(lines: readonly FinanceLine[], parties: readonly { partyId: string }[]): FinanceTotals {
  const isOf = (line: FinanceLine, partyId: string) => ownerOf(line, parties) === partyId;
  const isAlone = (line: FinanceLine) => parties.some(({ partyId }) => isOf(line, partyId));
  const shared = lines
    .filter((line) => !isAlone(line))
    .map((line) => (ownerOf(line, parties) === null ? null : valueOf(line, parties)));
  const known = shared.filter((value) => value !== null);
  const ownOf = (line: FinanceLine, partyId: string): number | null => {
    const value = valueOf(line, parties);
    if (value !== null || isOutside(line)) return value;
    const figure = line.figures.find((one) => one.partyId === partyId);
    return figure ? figure.amountMinor : 0;
  };
  const togetherOf = (amounts: readonly (number | null)[]): number | null =>
    amounts.includes(null) ? null : amounts.reduce<number>((all, amount) => all + (amount ?? 0), 0);
  return {
    own: parties.map(({ partyId }) => ({
      partyId,
      amountMinor: togetherOf(lines.filter((line) => isOf(line, partyId)).map((line) => ownOf(line, partyId))),
    })),
    isAnyJoint: shared.length > 0,
    jointMinor: known.length < shared.length ? null : known.reduce(sum, 0),
  };
}

const sum = (one: number, other: number): number => one + other;

/**
 * What counts for a thing: the agreed value, or what all who name it say. What only one of them names as the other's too
 * is not clear yet, and would be counted twice where both named it by other words. Of what somebody has with an outsider
 * only the share counts that is agreed.
 */
export function valueOf(line: FinanceLine, parties: readonly { partyId: string }[]): number | null {
  const agreed = agreedMinor(line, parties);
  if (agreed !== null) return agreed;
  return (isShared(line) && !line.isPaired) || isOutside(line) ? null : saidByAll(line);
}

/** Something that does not fit, or is not there, in words. */
export interface FinanceRemark {
  kind: "mismatch" | "gap";
  text: string;
}

/** All that somebody has to ask about before the statement says the same for all. */
export function remarksOn(statement: Statement): FinanceRemark[] {
  const lines = linesOfFinances(statement);
  return [
    ...lines.flatMap((line) => mismatchesOf(line, statement)),
    ...lines.flatMap((line) => unknownIn(line, statement)),
    ...lines.flatMap((line) => sharesIn(line, statement)),
    ...FINANCE_CATEGORIES.flatMap((category) =>
      gapsOf(
        category,
        lines.filter((line) => line.category === category),
        statement,
      ),
    ),
    ...statement.parties.flatMap((party) => withoutPaper(party, lines)),
  ];
}

const mismatch = (text: string): FinanceRemark => ({ kind: "mismatch", text });
const gap = (text: string): FinanceRemark => ({ kind: "gap", text });

const nameIn = ({ parties }: Statement, partyId: string): string =>
  parties.find((party) => party.partyId === partyId)?.name ?? "A participant";

function mismatchesOf(line: FinanceLine, statement: Statement): FinanceRemark[] {
  const { figures, label } = line;
  const { parties, currency } = statement;
  const remarks: FinanceRemark[] = [];
  const [only] = figures;
  if (figures.length === 1 && only && isShared(line)) {
    const others = parties.filter(({ partyId }) => partyId !== only.partyId).map(({ name }) => name);
    const whose = only.owner === "joint" ? "joint" : "the other’s";
    const verb = others.length > 1 ? "do" : "does";
    remarks.push(
      mismatch(
        `${nameIn(statement, only.partyId)} lists “${label}” as ${whose}. ${inWords(others)} ${verb} not list it.`,
      ),
    );
  }
  const known = figures.filter(({ amountMinor }) => amountMinor !== null);
  if (known.length > 1 && saidByAll({ figures: known }) === null && agreedMinor(line, parties) === null) {
    const said = known.map((one) => `${nameIn(statement, one.partyId)} ${moneyText(one.amountMinor ?? 0, currency)}`);
    const amounts = known.map(({ amountMinor }) => amountMinor ?? 0);
    const apart = Math.max(...amounts) - Math.min(...amounts);
    remarks.push(
      mismatch(`“${label}” has different values: ${inWords(said)}. The difference is ${moneyText(apart, currency)}.`),
    );
  }
  const isJointForSome = figures.some(({ owner }) => owner === "joint");
  const alone = figures.find(({ owner }) => owner !== "joint");
  if (figures.length > 1 && isJointForSome && alone) {
    const joint = figures.filter(({ owner }) => owner === "joint").map(({ partyId }) => nameIn(statement, partyId));
    const says = joint.length > 1 ? "say" : "says";
    remarks.push(
      mismatch(
        `${inWords(joint)} ${says} that “${label}” is joint. ${nameIn(statement, alone.partyId)} says that it is ${OTHERWISE[alone.owner]}.`,
      ),
    );
  }
  return remarks;
}

const OTHERWISE = {
  own: "theirs alone",
  joint: "joint",
  other: "the other’s",
  outside: "shared with somebody else",
} as const;

const unknownIn = ({ figures }: FinanceLine, statement: Statement): FinanceRemark[] =>
  figures.flatMap(({ partyId, label, amountMinor, asOf }) => {
    const name = nameIn(statement, partyId);
    if (amountMinor === null) return [gap(`${name} has not given the amount of “${label}” yet.`)];
    return asOf === "" ? [gap(`There is no date for ${name}’s figure for “${label}”.`)] : [];
  });

/** What counts of a thing that somebody has with an outsider is their share of it. */
const sharesIn = (line: FinanceLine, statement: Statement): FinanceRemark[] =>
  valueOf(line, statement.parties) !== null
    ? []
    : line.figures
        .filter(({ owner, amountMinor }) => owner === "outside" && amountMinor !== null)
        .map(({ partyId, label }) =>
          gap(
            `How much of “${label}” belongs to ${nameIn(statement, partyId)}, and how much to somebody else, is not agreed.`,
          ),
        );

function gapsOf(category: FinanceCategory, lines: readonly FinanceLine[], { parties }: Statement): FinanceRemark[] {
  const name = FINANCE_CATEGORY_NAMES[category].toLowerCase();
  const figures = lines.flatMap((line) => line.figures);
  const of = (partyId: string) => figures.filter((figure) => figure.partyId === partyId);
  const empty = parties.filter(({ partyId }) => of(partyId).length === 0);
  const silent = empty.filter(({ noneIn }) => !noneIn.includes(category)).map((party) => party.name);
  const without = empty.filter(({ noneIn }) => noneIn.includes(category)).map((party) => party.name);
  const ofParties = [
    ...(silent.length > 0 ? [gap(`${inWords(silent)} ${have(silent)} given no figure under ${name}.`)] : []),
    ...(without.length > 0
      ? [
          gap(
            `${inWords(without)} ${without.length > 1 ? "say" : "says"} there is nothing under ${name}. No paper shows it.`,
          ),
        ]
      : []),
  ];
  return [...ofParties, ...datesApart(name, figures)];
}

const have = (names: readonly string[]): string => (names.length > 1 ? "have" : "has");

function withoutPaper(
  { partyId, name }: { partyId: string; name: string },
  lines: readonly FinanceLine[],
): FinanceRemark[] {
  const bare = lines
    .flatMap(({ figures }) => figures)
    .filter((figure) => figure.partyId === partyId && figure.evidenceFileId === null);
  if (bare.length === 0) return [];
  const where = FINANCE_CATEGORIES.filter((category) => bare.some((figure) => figure.category === category));
  const named = inWords(where.map((category) => FINANCE_CATEGORY_NAMES[category].toLowerCase()));
  const count = bare.length === 1 ? "One figure" : `${bare.length} figures`;
  return [gap(`${count} of ${name} ${bare.length === 1 ? "has" : "have"} no paper on file: ${named}.`)];
}

function datesApart(name: string, figures: readonly Figure[]): FinanceRemark[] {
  const days = figures.flatMap(({ asOf }) => asOf || []).toSorted();
  const [oldest, newest] = [days[0], days.at(-1)];
  if (!oldest || !newest || addMonths(oldest, FIGURES_APART_MONTHS) >= newest) return [];
  return [
    gap(
      `The figures under ${name} are more than ${FIGURES_APART_MONTHS} months apart: from ${dayText(oldest)} to ${dayText(newest)}.`,
    ),
  ];
}
