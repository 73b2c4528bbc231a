// The attempts to reach the parties of a case, with what became of those that went by mail.
import { type Attempt, hasLeft, type invitationsSchema } from "@app/shared/ladders";
import type { z } from "zod";
import type { Scope } from "../../core/trpc.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { listAttempts } from "../ladders/attempts.service.ts";
import { rungsOf } from "../ladders/ladders.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { statesOfMails } from "../outbox/outbox-use.service.ts";

/** The attempts to reach each party of a case, and the ladder that they go by. */
export async function invitationsOf(scope: Scope, id: string): Promise<z.infer<typeof invitationsSchema>> {
  const { domain } = await findCaseDoc(scope, id);
  return { rungs: [...(await rungsOf(scope.ownerId, domain))], attempts: await attemptsOf(scope, id) };
}

/** The attempts to reach one party, the oldest first. */
export const attemptsTo = async (scope: Scope, of: { caseId: string; partyId: string }): Promise<Attempt[]> =>
  (await attemptsOf(scope, of.caseId)).filter(({ partyId }) => partyId === of.partyId);

/**
 * Those parties of a case who were invited at least once since they last answered, and whose last day to answer is over
 * for every invitation that reached them: of these a certificate may say that they did not answer.
 */
export async function silentParties(scope: Scope, caseId: string): Promise<Set<string>> {
  const { parties } = await findCaseDoc(scope, caseId);
  const answered = new Map(parties.map(({ partyId, respondedOn }) => [partyId, respondedOn]));
  const isSince = ({ partyId, on }: Attempt) => on > (answered.get(partyId) ?? "");
  const made = (await attemptsOf(scope, caseId)).filter((one) => hasLeft(one) && isSince(one));
  const today = await practiceToday(scope.ownerId);
  const awaited = new Set(made.filter(({ replyBy }) => replyBy >= today).map(({ partyId }) => partyId));
  return new Set(made.map(({ partyId }) => partyId).filter((partyId) => !awaited.has(partyId)));
}

async function attemptsOf(scope: Scope, caseId: string): Promise<Attempt[]> {
  const made = await listAttempts(scope, caseId);
  const states = await statesOfMails(
    scope,
    made.flatMap(({ mailId }) => mailId ?? []),
  );
  return made.map((one) => ({ ...one, delivery: states.get(one.mailId ?? "") ?? null }));
}
