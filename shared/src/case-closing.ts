// What is unusual in how a case ends: it may be so, and whoever records it says why.
import { againstSession, hasWriting, isAgreement, type LastSession, type Outcome } from "./case-outcomes.ts";
import { isVoiceOpen } from "./child-inclusive.ts";
import { countSides, isTakingPart, type PartyStatus } from "./case-states.ts";

interface Ended {
  domain: string;
  parties: readonly { partyId: string; side: string; status: PartyStatus }[];
  children: readonly (Parameters<typeof isVoiceOpen>[0] & { firstName: string })[];
}

interface When {
  last: LastSession | null;
  today: string;
}

/** What has to be explained of this end, in sentences; null where nothing has. */
export function unusualIn(
  outcome: Pick<Outcome, "code" | "isWrittenUp" | "documents" | "isAdviceTold">,
  theCase: Ended,
  { last, today }: When,
): string | null {
  const { code, isWrittenUp, isAdviceTold } = outcome;
  const isAgreed = isAgreement(code);
  const unusual = [
    isAgreed && isWrittenUp && !hasWriting(outcome)
      ? "It was written up, and no memorandum or parenting plan went to anybody."
      : "",
    isOneSided(outcome, theCase) ? "A document went to some, and not to everybody who takes part." : "",
    isAgreed && theCase.domain === "family" && !isAdviceTold ? "They were not told to take legal advice." : "",
    unheardIn(theCase, today),
  ].filter(Boolean);
  const said = unusual.length > 0 ? `${unusual.join(" ")} Say why.` : "";
  return [againstSession(code, last), said].filter(Boolean).join(" ") || null;
}

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
