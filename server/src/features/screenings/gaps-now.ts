// What keeps the parties of a case from meeting, as they were screened until now.
import type { CaseStatus } from "@app/shared/case-states";
import type { Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { type Joined, newcomersTo } from "@app/shared/newcomers";
import type { Happening } from "@app/shared/screening-days";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import type { PartyDoc } from "../cases/case-parties.service.ts";
import { leftBy, mediationEnd, type Past } from "../cases/case-steps.service.ts";
import { findCaseDoc, pastOf } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { countsHere, whyScreenedAnew } from "./found-elsewhere.service.ts";
import { latestConcerns } from "./safety-reviews.service.ts";
import { dangerOf, type Gap, gapOf, GAP_NOW, unsafeOnSideOf } from "./screening-gaps.ts";
import { latestScreenings } from "./screenings.service.ts";

type Screened = Pick<Party, "partyId" | "label" | "status">;

export interface Meeting {
  caseId: string;
  /** Those who would meet. */
  parties: (Screened &
    Pick<PartyDoc, "side"> &
    Joined & {
      /** The day on which they went on, where that is recorded later: their screening was no older then. */
      on?: string;
    })[];
  /** The case is over still, and would go on with this. */
  isReopened?: boolean;
  /** Left out where it is: else only what somebody found or told stands in the way. */
  isScreeningAsked?: boolean;
}

const OVER: readonly CaseStatus[] = ["concluded", "closed", "terminated"];

/** The end since which a case that goes on again asks for new screenings; null where it does not. */
export const endSince = (past: Omit<Past, "parties">, isReopened = false): Happening | null =>
  isReopened || !OVER.includes(past.status) ? mediationEnd(past) : null;

interface Missing {
  partyId: string;
  gap: Gap | "elsewhere";
  why: string;
}

/** What of their screenings keeps these parties from meeting now, in words. */
export async function gapsOf(
  scope: Scope,
  { caseId, parties, isReopened, isScreeningAsked = true }: Meeting,
): Promise<Missing[]> {
  const [past, latest, concerns, timeZone] = await Promise.all([
    pastOf(scope, caseId),
    latestScreenings(scope, caseId),
    latestConcerns(scope, caseId),
    practiceTimeZone(scope.ownerId),
  ]);
  const today = dayIn(timeZone, now());
  const ended = endSince(past, isReopened);
  const left = leftBy(past);
  const meeting = parties.filter(countsHere);
  const anew = await whyScreenedAnew(scope, { caseId, parties: meeting });
  const isUnsafe = latest.values().some(({ suitable }) => suitable === "no");
  const all = isUnsafe ? (await findCaseDoc(scope, caseId)).parties : [];
  return meeting.flatMap((party): Missing[] => {
    const { partyId, label, on: day = today } = party;
    const missing = isScreeningAsked ? gapOf : dangerOf;
    const found = missing(latest.get(partyId), {
      day,
      timeZone,
      ended,
      left: left.get(partyId),
      concern: concerns.get(partyId),
      newcomers: newcomersTo(party, meeting, timeZone),
      beside: unsafeOnSideOf(party, all, (id) => latest.get(id)),
    });
    const elsewhere = anew.get(partyId);
    if (elsewhere !== undefined && found?.gap !== "not_safe") return [{ partyId, gap: "elsewhere", why: elsewhere }];
    return found ? [{ partyId, gap: found.gap, why: GAP_NOW[found.gap](label, found.joined) }] : [];
  });
}
