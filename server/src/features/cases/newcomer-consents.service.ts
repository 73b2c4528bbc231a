// Consent is to mediate with somebody: what was said before another joined says nothing of them, and what somebody said
// before they left the case nothing of the mediation to which they came back.
import { labelsOf, OR_WITHOUT_THEM } from "@app/shared/agreement-gates";
import { isTakingPart } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import { backOn, type Returner } from "@app/shared/death";
import { type Joined, type Newcomer, newcomersTo } from "@app/shared/newcomers";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import type { PartyDoc } from "./cases.model.ts";

type Consenting = Pick<PartyDoc, "partyId" | "label" | "side" | "status" | "consentedOn" | "consentRecordedAt"> &
  Returner &
  Joined;

interface Outdone {
  label: string;
  /** What came about since, in words. */
  since: string;
}

/** Who of these consented, by this day, before they came back into the case, or before another joined on another side. */
export async function outdoneConsents(
  { ownerId }: Pick<Scope, "ownerId">,
  parties: readonly Consenting[],
  day: string,
): Promise<Outdone[]> {
  const timeZone = await practiceTimeZone(ownerId);
  return parties.flatMap((party) => {
    if (party.consentedOn === "") return [];
    if (party.consentedOn < backOn(party, day)) return [{ label: party.label, since: "they came back into the case" }];
    const since = newcomersTo(party, parties, timeZone).filter((one) => !saysOf(party, one, timeZone));
    return since.length > 0 ? [{ label: party.label, since: `${labelsOf(since)} joined the case` }] : [];
  });
}

/**
 * Whether a consent is one to mediate with this newcomer too. Somebody who came may have been entered only later: of a day
 * between, only what was recorded once they stood in the case tells of them.
 */
function saysOf(
  { consentedOn, consentRecordedAt }: Pick<Consenting, "consentedOn" | "consentRecordedAt">,
  { on, at }: Newcomer,
  timeZone: string,
): boolean {
  if (consentedOn >= dayIn(timeZone, at)) return true;
  return on !== "" && consentedOn >= on && Boolean(consentRecordedAt && consentRecordedAt > at);
}

/** The same of those who take part, in words that say what to do. */
export async function askedAnew(scope: Pick<Scope, "ownerId">, parties: readonly Consenting[]): Promise<string[]> {
  const today = await practiceToday(scope.ownerId);
  return (await outdoneConsents(scope, parties.filter(isTakingPart), today)).map(
    ({ label, since }) => `${label} consented before ${since}. Ask again, and record the consent with its new day.`,
  );
}

/** PRECONDITION_FAILED where one of these consented before they left, or would mediate with somebody who joined after that. */
export async function assertConsentsStand(scope: Scope, parties: readonly Consenting[]): Promise<void> {
  const asked = await askedAnew(scope, parties);
  if (asked.length > 0) throw wrongState([...asked, OR_WITHOUT_THEM].join(" "));
}
