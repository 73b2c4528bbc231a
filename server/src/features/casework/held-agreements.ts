// What is agreed in mediation is agreed in a session, among people who could mediate then.
import { missingSignatures, OR_THEY_LEAVE } from "@app/shared/agreement-gates";
import { isAgreement, type Outcome } from "@app/shared/case-outcomes";
import { countSides } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import { begunAmong } from "@app/shared/mediating";
import { dayHeld } from "@app/shared/screening-days";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { lastStepOf } from "../cases/case-steps.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import type { jointSessions } from "../sessions/session-facts.service.ts";

export type JointSession = Awaited<ReturnType<typeof jointSessions<CaseDoc["parties"][number]>>>[number];

/** Why that was not agreed in a session of two sides, among people who signed and were suitable then; null where it was. */
export async function whyNotHeld(
  scope: Scope,
  theCase: Pick<CaseDoc, "_id" | "parties">,
  { code }: Outcome,
  sessions: JointSession[],
): Promise<string | null> {
  if (code === "settled_before" && sessions.length > 0)
    return "A session of two sides was held, so it was not settled before one.";
  if (!isAgreement(code)) return null;
  const unsigned = missingSignatures(agreeingIn(theCase, sessions));
  if (unsigned.length > 0) return [...unsigned, OR_THEY_LEAVE].join(" ");
  const locked = sessions.filter(({ unlocked }) => unlocked.length === 0);
  if (locked.length === 0)
    return "Nothing is agreed in mediation without a session of two sides that was held and locked. Lock it, or choose another outcome.";
  const since = await unsuitableSince(scope, theCase);
  const mediated = ({ mediating, heldOn }: JointSession) =>
    mediating.filter(({ partyId }) => heldOn <= (since.get(partyId) ?? heldOn));
  return locked.some((session) => countSides(mediated(session)) > 1)
    ? null
    : "Nobody agrees in mediation with somebody who is not suitable for it. Choose another outcome.";
}

/** Whose agreement it is: not that of whoever was only added, and neither asked nor at a session, while others have signed. */
function agreeingIn({ parties }: Pick<CaseDoc, "parties">, sessions: readonly JointSession[]): CaseDoc["parties"] {
  const begun = begunAmong(parties);
  const came = sessions.flatMap(({ mediating }) => mediating);
  return parties.filter((party) => party.status !== "to_invite" || begun.includes(party) || came.includes(party));
}

/** Since which day each of them is not suitable: of what is found of somebody later their agreement is not undone. */
async function unsuitableSince(
  scope: Scope,
  { _id, parties }: Pick<CaseDoc, "_id" | "parties">,
): Promise<Map<string, string>> {
  const unsuitable = parties.filter(({ status }) => status === "not_suitable");
  if (unsuitable.length === 0) return new Map();
  const [screenings, timeZone] = await Promise.all([latestScreenings(scope, _id), practiceTimeZone(scope.ownerId)]);
  return new Map(
    unsuitable.map((party) => {
      const screening = screenings.get(party.partyId);
      if (screening?.suitable === "no") return [party.partyId, dayHeld(screening, timeZone)];
      return [party.partyId, lastStepOf(party)?.on || dayIn(timeZone, party.statusSince)];
    }),
  );
}
