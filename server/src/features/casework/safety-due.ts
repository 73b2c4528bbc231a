import { can } from "@app/shared/access";
import { takesSessions } from "@app/shared/case-sessions";
import type { SafetyDue } from "@app/shared/case-steps";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { countOpenEntries } from "../safeguarding/opened-entries.service.ts";
import { screenedAgain } from "../screenings/screening-gates.service.ts";

/** What is due for somebody's safety in a case, for whoever may read why: it says nothing of what was found. */
export async function safetyDue(scope: Scope, id: string): Promise<SafetyDue> {
  const { status, parties } = await getCase(scope, id);
  // It is worked out for everybody, so that how long an answer takes tells nothing.
  const again = await screenedAgain(scope, { caseId: id, parties });
  const isShown = takesSessions(status) && can(scope, "screening.read");
  return { again: isShown ? again.map(({ why }) => why) : [], openEntries: await countOpenEntries(scope, id) };
}
