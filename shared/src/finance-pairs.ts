// Which figures of two disclosures are perhaps of one thing. Free of zod.
import { isShared, linesOfFinances, type Statement } from "./finance-lines.ts";
import type { Figure } from "./finances.ts";

/** Two figures that are perhaps one thing, for somebody to say whether they are. */
export function proposedPairs(statement: Statement): [Figure, Figure][] {
  const alone = linesOfFinances(statement).flatMap((line) => (line.isPaired ? [] : line.figures));
  const single = statement.parties.flatMap(({ partyId }) => alone.filter((figure) => figure.partyId === partyId));
  const taken = new Set<string>();
  const proposed: [Figure, Figure][] = [];
  for (const one of single) {
    if (taken.has(one.id)) continue;
    const match = single
      .filter((other) => !taken.has(other.id) && mayBeOne(one, other))
      .map((other) => ({ other, likeness: likenessOf(one, other) }))
      .toSorted((first, second) => second.likeness - first.likeness)[0];
    if (!match || match.likeness === 0) continue;
    taken.add(one.id).add(match.other.id);
    proposed.push([one, match.other]);
  }
  return proposed;
}

/** One of them says that the thing is not theirs alone. */
const mayBeOne = (one: Figure, other: Figure): boolean =>
  one.partyId !== other.partyId && one.category === other.category && isShared({ figures: [one, other] });

const wordsIn = (label: string): string[] =>
  label
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !COMMON.has(word));

/** Words that say nothing of which one it is. */
const COMMON = new Set([
  "the",
  "our",
  "my",
  "joint",
  "account",
  "bank",
  "home",
  "house",
  "and",
  "of",
  "at",
  "with",
  "to",
]);

function likenessOf(one: Figure, other: Figure): number {
  const words = new Set(wordsIn(other.label));
  const common = wordsIn(one.label).filter((word) => words.has(word)).length;
  const isSameAmount = one.amountMinor !== null && one.amountMinor === other.amountMinor;
  const areBothJoint = one.owner === "joint" && other.owner === "joint";
  return 2 * common + (isSameAmount ? 2 : 0) + (areBothJoint && (common > 0 || isSameAmount) ? 1 : 0);
}
