// Whoever is invited by nothing but what is written and has not left was asked nothing yet.
import mongoose from "mongoose";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, defineCaseSettler } from "../cases/case-changes.service.ts";
import type { PartyDoc } from "../cases/case-parties.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { AttemptModel } from "./attempts.model.ts";

defineCaseSettler(async (scope, _before, draft) => {
  for (const party of draft.parties) party.isInvitationWaiting = await isWaiting(scope, draft._id, party);
});

/** Whether nothing has reached them since they were where they were invited from, and a mail is to. */
export async function isWaiting(
  { ownerId }: Pick<Scope, "ownerId">,
  caseId: string,
  { partyId, status, steps }: Pick<PartyDoc, "partyId" | "status" | "steps">,
): Promise<boolean> {
  if (status !== "invited" && status !== "no_response") return false;
  // Whoever did not answer and is invited again was asked before.
  const asked = steps.findLast(({ from, to }) => to === "invited" && from !== "no_response");
  if (!asked) return false;
  const at = mongoose.trusted({ $gte: asked.since });
  const made = await AttemptModel.find({ ownerId, caseId, partyId, takenBackAt: null, at }).lean();
  const standing = made.filter(({ call, cameBackOn = "" }) => call !== "nobody" && cameBackOn === "");
  return standing.length > 0 && standing.every((one) => one.isWaiting);
}

/** The mail of an attempt left, or may have: from then on its party was asked. Call it in that transaction. */
export async function noteAttemptLeft(ownerId: string, mailId: string): Promise<void> {
  const scope = systemScope(ownerId);
  const attempt = await AttemptModel.findOneAndUpdate(
    { ownerId, mailId, isWaiting: true },
    { $set: { isWaiting: false } },
    { lean: true },
  );
  if (!attempt) return;
  const { version } = await findCaseDoc(scope, attempt.caseId);
  await changeCase(scope, { id: attempt.caseId, version }, () => undefined);
}
