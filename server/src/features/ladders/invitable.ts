// Whether somebody may be invited, or may be recorded as invited on a day that is over.
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { joinedBlockers } from "../conflicts/conflict-gates.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { assertSaidWhy, type Missing } from "../screenings/missing-then.service.ts";
import { whyNobodyInvited } from "../screenings/screening-gates.service.ts";
import { askedIn, invitationGaps, whyAnswered, whyOver } from "./invitation-gates.service.ts";
import { missingOn } from "./late-invitations.ts";

interface Making {
  on: string;
  mailId: string | null;
  unmetReason: string;
}

/**
 * PRECONDITION_FAILED says what stands in the way. Of one that was made by hand and is recorded only now, gives what was
 * missing on its day.
 */
export async function assertInvitable(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { on, mailId, unmetReason }: Making,
): Promise<Missing[]> {
  const isLate = mailId === null && on < (await practiceToday(scope.ownerId));
  const answered = await whyAnswered(scope, draft, party);
  if (answered.length > 0) throw wrongState(answered.join(" "));
  const blockers = await whyNotToday(scope, draft, party);
  if (blockers.length === 0) return [];
  if (!isLate) throw wrongState(blockers.join(" "));
  const missing = await missingOn(scope, draft, party, on);
  assertSaidWhy(
    scope,
    missing,
    unmetReason,
    (what) =>
      `On that day this was missing: ${what} Say why they were invited all the same; it is kept with the invitation.`,
  );
  return missing;
}

/** What keeps this party from being invited today; empty where nothing does. */
async function whyNotToday(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<string[]> {
  const blockers = [...whyOver(draft), ...(await joinedBlockers(scope, draft, party))];
  if (blockers.length > 0) return blockers;
  const unsafe = await whyNobodyInvited(scope, askedIn(draft, party));
  return unsafe.length > 0 ? unsafe : (await invitationGaps(scope, draft, party)).map(({ text }) => text);
}
