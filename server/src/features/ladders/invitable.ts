// Whether somebody may be invited, or may be recorded as invited on a day that is over.
import { isToBeReminded } from "@app/shared/invitable";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { joinedBlockers } from "../conflicts/conflict-gates.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { assertSaidWhy, type Missing } from "../screenings/missing-then.service.ts";
import { takeSafetyTurn } from "../screenings/safety-turns.service.ts";
import { besideWords, gapsApart, whyAnswered, whyOver } from "./invitation-gates.service.ts";
import { missingOn } from "./late-invitations.ts";
import { type Beside, unsafeBeside } from "./unsafe-besides.ts";

interface Making {
  on: string;
  mailId: string | null;
  unmetReason: string;
}

/**
 * PRECONDITION_FAILED says what stands in the way. Of one that was made by hand and is recorded only now, gives what was
 * missing on its day, and whether they may be asked today.
 */
export async function assertInvitable(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { on, mailId, unmetReason }: Making,
): Promise<{ missing: Missing[]; mayBeAsked: boolean }> {
  const isLate = mailId === null && on < (await practiceToday(scope.ownerId));
  const answered = await whyAnswered(scope, draft, party);
  const isReminder = answered.length > 0 && mailId === null && isToBeReminded(party);
  if (answered.length > 0 && !isReminder) throw wrongState(answered.join(" "));
  if (isReminder) await assertSinceAnswer(scope, party, on);
  const { blockers, beside } = await whyNotToday(scope, draft, party, { isReminder });
  // Of one that is recorded later, that day says what was missing.
  const mayBeAsked = blockers.length === 0;
  if (mayBeAsked && (isReminder || !(isLate && beside.what === "reason")))
    return { missing: saidWhyBeside(scope, beside, { mailId, unmetReason }), mayBeAsked };
  if (!isLate || isReminder) throw wrongState(blockers.join(" "));
  const missing = await missingOn(scope, draft, party, on);
  assertSaidWhy(
    scope,
    missing,
    unmetReason,
    (what) =>
      `On that day this was missing: ${what} Say why they were invited all the same; it is kept with the invitation.`,
  );
  return { missing, mayBeAsked };
}

/** What went out before they answered reminds them of nothing. */
async function assertSinceAnswer(scope: Scope, { label, respondedOn }: PartyDoc, on: string): Promise<void> {
  if (on >= respondedOn) return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  throw badField(
    "on",
    `${label} answered on ${calendarDay(respondedOn)}, and is reminded only after that. Enter that day or a later one.`,
  );
}

/** That somebody is not safe while others of two sides are left asks why these go on, of one that is made by hand. */
function saidWhyBeside(
  scope: Scope,
  beside: Beside,
  { mailId, unmetReason }: Pick<Making, "mailId" | "unmetReason">,
): Missing[] {
  if (beside.what !== "reason") return [];
  if (mailId !== null) throw wrongState(besideWords(scope, beside));
  const { missing } = beside;
  assertSaidWhy(
    scope,
    missing,
    unmetReason,
    (what) => `${what} Say why the others are invited without them all the same; it is kept with the invitation.`,
  );
  return missing;
}

interface Today {
  blockers: string[];
  beside: Beside;
}

/** What keeps this party from being invited today, and what asks for a reason. */
async function whyNotToday(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { isReminder }: { isReminder: boolean },
): Promise<Today> {
  const beside: Beside = { what: "nothing" };
  const plain = [...whyOver(draft), ...(await joinedBlockers(scope, draft, party))];
  if (plain.length > 0) return { blockers: plain, beside };
  await takeSafetyTurn(scope.ownerId, draft._id);
  const found = await unsafeBeside(scope, draft, party);
  if (found.what === "nobody") return { blockers: [besideWords(scope, found)], beside };
  // Whoever answered is in touch with the practice already.
  const gaps = isReminder ? [] : await gapsApart(scope, draft, party);
  return { blockers: gaps.map(({ text }) => text), beside: found };
}
