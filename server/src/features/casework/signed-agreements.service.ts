import type { Confidences } from "@app/shared/confidences";
import { TRPCError } from "@trpc/server";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { signatureAbout } from "./case-agreements.ts";
import { moveParty } from "./case-progress.ts";

interface Signed {
  caseId: string;
  partyId: string;
  /** What the agreement says that they signed; null where it was said on the case before. */
  confidences: Confidences | null;
}

const TRIES = 20;
const DIFFER =
  "They signed an agreement that says something else of confidences than the one that was signed before. Look at both, and agree with the participants what counts.";

/**
 * Notes that a party signed the agreement to mediate today; by the rules of every step. Gives the words of what stands in
 * its way: that they signed stays true, and somebody has to look at it. Throws where the server had no room for it.
 */
export async function noteAgreementSigned(ownerId: string, signed: Signed): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await noteOnce(ownerId, signed);
    } catch (error) {
      if (!(error instanceof TRPCError) || !LASTING.has(error.code)) throw error;
      // Somebody saved the case in between: it is noted on the case as it is then.
      if (error.code !== "CONFLICT") return error.message;
      if (tries === TRIES) throw error;
    }
  }
}

/** What is refused by a rule, or, by CONFLICT, for this moment. */
const LASTING = new Set<TRPCError["code"]>([
  "BAD_REQUEST",
  "CONFLICT",
  "FORBIDDEN",
  "NOT_FOUND",
  "PRECONDITION_FAILED",
]);

async function noteOnce(ownerId: string, { caseId, partyId, confidences }: Signed): Promise<string> {
  const scope = systemScope(ownerId);
  const theCase = await getCase(scope, caseId);
  if (theCase.confidences !== null && confidences !== null && confidences !== theCase.confidences) return DIFFER;
  const step = {
    id: caseId,
    version: theCase.version,
    partyId,
    to: "agreement_signed" as const,
    on: await practiceToday(ownerId),
    reason: "",
    confidences: theCase.confidences === null ? confidences : null,
    isOwnDecision: null,
    hasAgreed: null,
  };
  await moveParty(scope, step, { isSignedHere: true });
  return "";
}

/** Whoever sent the agreement out, or the owner, records that it was signed, because the case could not move by itself. */
export async function askToRecord(
  ownerId: string,
  { partyId, name, ...task }: { caseId: string; clientId: string; partyId: string; name: string; assigneeId: string },
): Promise<void> {
  const title = `${name} signed the agreement to mediate. The case could not move by itself: record it there`;
  const dueOn = await practiceToday(ownerId);
  await createTasks(systemScope(ownerId), [{ ...task, title, dueOn, about: signatureAbout(partyId) }]);
}
