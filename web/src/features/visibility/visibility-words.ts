import type { CaseDomain } from "@app/shared/case-transitions";
import { apartName } from "@app/shared/confidences";
import type { Visibility } from "@app/shared/visibility";

export interface NamedParty {
  partyId: string;
  label: string;
  name: string;
  /** Of which kind their case is: it has words of its own. */
  domain: CaseDomain;
}

const and = (names: string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}` : (names[0] ?? "");

const namesOf = (parties: readonly NamedParty[]): string => and(parties.map(({ name }) => name.split(" ")[0] ?? name));
const withLabels = (parties: readonly NamedParty[]): string =>
  and(parties.map(({ name, label }) => `${name.split(" ")[0] ?? name} (${label})`));

export interface VisibilityWords {
  /** Who it is for; never cut off. */
  who: string;
  /** What that means for everybody else. */
  meaning: string;
}

/** Who may read something, in both halves. */
export function wordsOf(
  { scope, partyIds, aboutPartyIds }: Visibility,
  parties: readonly NamedParty[],
): VisibilityWords {
  const about = parties.filter(({ partyId }) => aboutPartyIds.includes(partyId));
  const readers = parties.filter(({ partyId }) => partyIds.includes(partyId));
  const others = parties.filter(({ partyId }) => ![...aboutPartyIds, ...partyIds].includes(partyId));
  const never = others.length > 0 ? `, never shown to ${namesOf(others)}` : "";
  if (scope === "mediator")
    return about.length > 0
      ? { who: `Only the mediators, about ${withLabels(about)}`, meaning: `No other staff${never}` }
      : { who: "Only you (mediator)", meaning: "No party, no other staff" };
  if (scope === "staff")
    return about.length > 0
      ? {
          who: `${apartName(about[0]?.domain ?? null)} with ${withLabels(about)}`,
          meaning: `Kept by the practice${never}`,
        }
      : { who: "Practice team", meaning: "No party can read this" };
  if (scope === "party" && about.length === 0 && readers.length === 1)
    return { who: `For ${withLabels(readers)}`, meaning: `${namesOf(readers)} can read this, in nobody’s confidence` };
  if (scope === "party")
    return { who: `For ${withLabels(readers)}`, meaning: `${namesOf(readers)} can read this${never}` };
  return {
    who: `Shared with ${and(parties.map(({ label }) => label)) || "all parties"}`,
    meaning: "All participants can read this",
  };
}

/** Whose colours it wears: one party's, everybody's, or none. */
export function toneOf({ scope, partyIds, aboutPartyIds }: Visibility, parties: readonly NamedParty[]): string {
  if (scope === "shared") return "shared";
  const [only, ...more] = new Set([...aboutPartyIds, ...partyIds]);
  const label = more.length === 0 ? parties.find(({ partyId }) => partyId === only)?.label : undefined;
  if (label === "P1" || label === "P2") return label.toLowerCase();
  return label ? "more" : scope;
}
