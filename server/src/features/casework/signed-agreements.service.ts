import type { Confidences } from "@app/shared/confidences";
import { TRPCError } from "@trpc/server";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { moveParty } from "./case-progress.ts";

interface Signed {
  caseId: string;
  partyId: string;
  /** What the agreement says that they signed; null where it was said on the case before. */
  confidences: Confidences | null;
}

/**
 * Notes that a party signed the agreement to mediate today; by the rules of every step. Gives the words of what stands in
 * its way: that they signed stays true, and somebody has to look at it.
 */
export async function noteAgreementSigned(ownerId: string, { caseId, partyId, confidences }: Signed): Promise<string> {
  const scope = systemScope(ownerId);
  try {
    const theCase = await getCase(scope, caseId);
    await moveParty(scope, {
      id: caseId,
      version: theCase.version,
      partyId,
      to: "agreement_signed",
      on: await practiceToday(ownerId),
      reason: "",
      confidences: theCase.confidences === null ? confidences : null,
      isOwnDecision: null,
    });
    return "";
  } catch (error) {
    if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") return error.message;
    throw error;
  }
}
