// What was missing for a session when it was held is judged anew where a day turns out to have been noted wrong: on which
// somebody consented, or signed.
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import mongoose from "mongoose";
import { gapsAt } from "./past-gates.ts";
import { type SessionDoc, SessionModel } from "./sessions.model.ts";

const CORRECTED = "Found when a day of the case was corrected";

defineCaseFollower(async (scope, before, after) => {
  if (!areOtherDays(before, after)) return;
  const held = await SessionModel.find({
    ownerId: scope.ownerId,
    caseId: after._id,
    lockedAt: mongoose.trusted({ $ne: null }),
  }).lean();
  for (const doc of held) await judgeAnew(scope, doc);
});

/** Days that were known are others now; whoever consents or signs for the first time changes nothing that was held. */
const areOtherDays = (before: CaseDoc, after: CaseDoc): boolean =>
  before.parties.some((was) => {
    const is = after.parties.find(({ partyId }) => partyId === was.partyId);
    const isOther = (one: string, other: string | undefined) => one !== "" && other !== undefined && one !== other;
    return isOther(was.consentedOn, is?.consentedOn) || isOther(was.agreementSignedOn, is?.agreementSignedOn);
  });

/** What concerns somebody's safety stays as it was said. */
async function judgeAnew(scope: Scope, doc: SessionDoc): Promise<void> {
  const { startedAt, unmet } = doc;
  if (!startedAt) return;
  const theCase = await getCase(scope, doc.caseId);
  const found = (await gapsAt(scope, { ...doc, startedAt }, theCase)).filter(({ isSafety }) => !isSafety);
  const isFound = ({ text }: { text: string }) => found.some((gap) => gap.text === text);
  const known = unmet ?? [];
  const kept = known
    .map((one) => ({ ...one, what: one.what.filter((gap) => gap.isSafety || isFound(gap)) }))
    .filter(({ what }) => what.length > 0);
  const texts = new Set(kept.flatMap(({ what }) => what.map(({ text }) => text)));
  const what = found.filter(({ text }) => !texts.has(text));
  const added =
    what.length > 0 ? [{ what, reason: CORRECTED, at: now(), byId: scope.userId, byName: scope.userName }] : [];
  const anew = [...kept, ...added];
  if (JSON.stringify(anew) === JSON.stringify(known)) return;
  await SessionModel.updateOne(
    { ownerId: scope.ownerId, _id: doc._id, version: doc.version },
    { $set: { unmet: anew }, $inc: { version: 1 } },
  );
}
