// What was missing for a session when it was held is judged anew where a day turns out to have been noted wrong, on which
// somebody consented or signed, and where somebody had been found not safe before it.
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { unsafeBefore } from "../screenings/past-screenings.service.ts";
import { defineSafetyFollower } from "../screenings/screening-followers.service.ts";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { gapsAt } from "./past-gates.ts";
import { gapsOfHours } from "./same-hours.ts";
import { type Gap, type SessionDoc, SessionModel, type UnmetDoc } from "./sessions.model.ts";

/** A finding of an earlier day that is recorded only now stood against what was held since. */
defineSafetyFollower(async (scope, { caseId, partyId, isUnsafe }) => {
  if (!isUnsafe) return;
  const { parties } = await getCase(scope, caseId);
  const party = parties.find((one) => one.partyId === partyId);
  const held = await lockedIn(scope, caseId);
  for (const doc of held.filter(({ partyIds }) => partyIds.includes(partyId))) {
    const text = party && doc.startedAt && (await unsafeBefore(scope, { caseId, party, at: doc.startedAt }));
    const known = doc.unmet ?? [];
    if (!text || known.some(({ what }) => what.some((gap) => gap.text === text))) continue;
    await keep(scope, doc, { unmet: [...known, found(scope, [{ text, isSafety: true }], FOUND_LATER)] });
  }
});

const FOUND_LATER = "Found when a screening of an earlier day was recorded";
const CORRECTED = "Found when a day of the case was corrected";

defineCaseFollower(async (scope, before, after) => {
  if (!areOtherDays(before, after)) return;
  for (const doc of await lockedIn(scope, after._id)) await judgeAnew(scope, doc);
});

const lockedIn = ({ ownerId }: Scope, caseId: string): Promise<SessionDoc[]> =>
  SessionModel.find({ ownerId, caseId, status: "locked" }).lean();

const found = (scope: Scope, what: Gap[], reason: string): UnmetDoc => ({
  what,
  reason,
  at: now(),
  byId: scope.userId,
  byName: scope.userName,
});

type Said = Pick<SessionDoc, "unmet" | "unmetBefore">;

async function keep({ ownerId }: Scope, { _id, version }: SessionDoc, said: Said): Promise<void> {
  await SessionModel.updateOne({ ownerId, _id, version }, { $set: said, $inc: { version: 1 } });
}

/** Days that were known are others now; whoever consents or signs for the first time changes nothing that was held. */
const areOtherDays = (before: CaseDoc, after: CaseDoc): boolean =>
  before.parties.some((was) => {
    const is = after.parties.find(({ partyId }) => partyId === was.partyId);
    const isOther = (one: string, other: string | undefined) => one !== "" && other !== undefined && one !== other;
    return isOther(was.consentedOn, is?.consentedOn) || isOther(was.agreementSignedOn, is?.agreementSignedOn);
  });

/** What concerns somebody's safety stays as it was said; a finding that is recorded later is added above. */
async function judgeAnew(scope: Scope, doc: SessionDoc): Promise<void> {
  const { startedAt, unmet, unmetBefore } = doc;
  if (!startedAt) return;
  const theCase = await getCase(scope, doc.caseId);
  const held = { ...doc, startedAt };
  const gaps = (await gapsAt(scope, held, theCase)).filter(({ isSafety }) => !isSafety);
  const shared = await gapsOfHours(scope, held, theCase);
  const isFound = ({ text }: { text: string }) => [...gaps, ...shared].some((gap) => gap.text === text);
  const stands = (gap: Gap) => gap.isSafety || isFound(gap);
  // What was said of it then stays to be read, and counts again where the day is put back.
  const [known, before] = [unmet ?? [], unmetBefore ?? []];
  const kept = [...only(known, stands), ...only(before, stands)];
  const texts = new Set(kept.flatMap(({ what }) => what.map(({ text }) => text)));
  const what = gaps.filter(({ text }) => !texts.has(text));
  const anew = [...kept, ...(what.length > 0 ? [found(scope, what, CORRECTED)] : [])];
  if (JSON.stringify(anew) === JSON.stringify(known)) return;
  const isGone = (gap: Gap) => !stands(gap);
  await keep(scope, doc, { unmet: anew, unmetBefore: [...only(before, isGone), ...only(known, isGone)] });
}

/** As far as it is said of these. */
const only = (said: readonly UnmetDoc[], isMeant: (gap: Gap) => boolean): UnmetDoc[] =>
  said.map((one) => ({ ...one, what: one.what.filter(isMeant) })).filter(({ what }) => what.length > 0);
