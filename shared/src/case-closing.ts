// What is unusual in how a case ends: it may be so, and whoever records it says why.
import { againstSession, hasWriting, isAgreement, type LastSession, type Outcome } from "./case-outcomes.ts";
import { isVoiceOpen } from "./child-inclusive.ts";
import { type CaseStatus, countSides, everSigned, isTakingPart, type PartyStatus, type Sided } from "./case-states.ts";
import { diedOn, hadLeft, type Leaver, type Mortal } from "./death.ts";

interface Ended {
  domain: string;
  parties: readonly { partyId: string; side: string; status: PartyStatus }[];
  children: readonly (Parameters<typeof isVoiceOpen>[0] & { firstName: string })[];
}

interface When {
  last: LastSession | null;
  /** Who came to its sessions of two sides. */
  mediatedIds: readonly string[];
  today: string;
}

/** What has to be explained of this end, in sentences; null where nothing has. */
export function unusualIn(
  outcome: Pick<Outcome, "code" | "isWrittenUp" | "documents" | "isAdviceTold">,
  theCase: Ended,
  { last, mediatedIds, today }: When,
): string | null {
  const { code, isWrittenUp, isAdviceTold } = outcome;
  const isAgreed = isAgreement(code);
  const unusual = [
    code === "not_agreed" && mediatedIds.length === 0 ? "No session of two sides was held." : "",
    isAgreed && isWrittenUp && !hasWriting(outcome)
      ? "It was written up, and no memorandum or parenting plan went to anybody."
      : "",
    isAgreed ? againstPresence(theCase, mediatedIds) : "",
    isToTheDead(outcome, theCase) ? "A document went to somebody who died." : "",
    isOneSided(outcome, theCase) ? "A document went to some, and not to everybody who takes part." : "",
    isAgreed && theCase.domain === "family" && !isAdviceTold ? "They were not told to take legal advice." : "",
    unheardIn(theCase, today),
  ].filter(Boolean);
  const said = unusual.length > 0 ? `${unusual.join(" ")} Say why.` : "";
  return [againstSession(code, last), said].filter(Boolean).join(" ") || null;
}

/** What those who stand in the case, or came to its sessions, say against an agreement of all of them. */
function againstPresence({ parties }: Pick<Ended, "parties">, mediatedIds: readonly string[]): string {
  const present = parties.filter(isTakingPart);
  if (countSides(present) < 2) return "Fewer than two sides take part still.";
  const mediated = parties.filter(({ partyId }) => mediatedIds.includes(partyId));
  return countSides([...mediated, ...present]) > countSides(mediated)
    ? "Somebody who takes part came to no session of two sides."
    : "";
}

const isToTheDead = ({ documents }: Pick<Outcome, "documents">, { parties }: Pick<Ended, "parties">): boolean =>
  parties.some(
    ({ partyId, status }) => status === "died" && documents.some(({ partyIds }) => partyIds.includes(partyId)),
  );

/** Who is old enough to be heard, and of whom nobody noted whether they wish to be. */
function unheardIn({ domain, children }: Ended, today: string): string {
  const unheard = domain === "family" ? children.filter((child) => isVoiceOpen(child, today)) : [];
  const names = unheard.map(({ firstName }) => firstName).join(" and ");
  return names === "" ? "" : `Nobody noted whether ${names} wanted to be heard.`;
}

/** People on one side share what they were given. */
function isOneSided({ documents }: Pick<Outcome, "documents">, { parties }: Ended): boolean {
  const present = parties.filter(isTakingPart);
  return documents.some(
    ({ partyIds }) => countSides(present.filter(({ partyId }) => partyIds.includes(partyId))) < countSides(present),
  );
}

/** What the issues say against an end before the conclusion: null where one of them stayed open. */
export const againstBreakdown = (to: CaseStatus, { code, issues }: Pick<Outcome, "code" | "issues">): string | null =>
  to === "terminated" && code === "agreed_not_written" && !hasUnresolved({ issues })
    ? "All issues here were agreed, so mediation did not break down. Move the case to “Concluded”, or say which issue was not agreed."
    : null;

/** Whether something of what was mediated stayed open. */
export const hasUnresolved = ({ issues }: { issues: readonly Pick<Outcome["issues"][number], "result">[] }): boolean =>
  issues.some(({ result }) => result !== "agreed");

type Departing = Sided & Mortal & Leaver & { agreementSignedOn: string };

/**
 * Whether a death left one side alone by this day: of those who had not left before it, and of whoever had signed, nobody
 * of a second side was there from then on.
 */
export function isPartedByDeath(parties: readonly Departing[], day: string): boolean {
  const hasDiedBy = (party: Departing, by: string) => party.status === "died" && diedOn(party) <= by;
  const deaths = new Set(parties.filter((party) => hasDiedBy(party, day)).map(diedOn));
  return [...deaths].some((on) => {
    const isAway = (party: Departing) => hadLeft(party, on) && hadLeft(party, day);
    const there = parties.filter((party) => everSigned(party) && !hasDiedBy(party, on) && !isAway(party));
    const dead = parties.filter((party) => party.status === "died" && diedOn(party) === on && !hadLeft(party, on));
    return countSides(there) < 2 && countSides([...there, ...dead]) > 1;
  });
}
