// The one way in which a stored session changes: as it stands now, and never after it is closed.
import type { Case } from "@app/shared/cases";
import { can } from "@app/shared/access";
import type { Session } from "@app/shared/sessions";
import { CLOSED_SESSION_STATUSES, SESSION_STATUS_NAMES, type SessionStatus } from "@app/shared/session-states";
import type { Visibility } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { conflict, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { onlyReadable, staffReader } from "../visibility/visibility.service.ts";
import { missingFor } from "../screenings/missing-then.service.ts";
import { assertStillSafe } from "../screenings/screening-gates.service.ts";
import { safetyReviewsOf } from "../screenings/safety-reviews.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import { namesOf } from "./session-mediators.ts";
import { tellSessionFollowers } from "./session-followers.service.ts";
import { assertTellsNoMore } from "./session-meetings.ts";
import {
  readersNow,
  type SessionDoc,
  SessionModel,
  toProposal,
  toSessionBase,
  type UnmetDoc,
} from "./sessions.model.ts";

interface Options {
  /** Where this is given, the change is for sessions in these states only. */
  only?: readonly SessionStatus[];
}

/** A stored session of a case that this person may see, with the case. */
export async function visibleSession(scope: Scope, id: string): Promise<{ doc: SessionDoc; theCase: Case }> {
  const doc = await SessionModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Session");
  const [theCase] = await findVisibleCases(scope, [doc.caseId]);
  if (!theCase) throw notFound("Session");
  return { doc, theCase };
}

/** Changes a session as it stands now. */
export async function changeSession(
  scope: Scope,
  { id }: { id: string },
  change: (draft: SessionDoc, theCase: Case) => Promise<void> | void,
  { only }: Options = {},
): Promise<Session> {
  return inTransaction(async () => {
    const { doc, theCase } = await visibleSession(scope, id);
    assertState(doc.status, only);
    const draft = structuredClone(doc);
    await change(draft, theCase);
    await assertTellsNoMore(scope, doc, draft);
    const { _id, ownerId: _ownerId, version, ...fields } = draft;
    const after = await SessionModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id, version },
      { $set: fields, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    if (!after) throw conflict("Somebody else changed this session at the same moment. Try again.");
    await tellSessionFollowers(scope, doc, after);
    return toSession(scope, after, theCase);
  });
}

/**
 * Whoever was found not safe is not negotiated with any more, in no session, whenever it was held; the team's own notes are
 * written all the same.
 */
export async function assertMayTell(scope: Scope, theCase: Case, { scope: readers }: Visibility): Promise<void> {
  if (readers === "shared" || readers === "party") await assertStillSafe(scope, theCase);
}

export function assertState(status: SessionStatus, only?: readonly SessionStatus[]): void {
  if (only ? only.includes(status) : !CLOSED_SESSION_STATUSES.includes(status)) return;
  const name = SESSION_STATUS_NAMES[status].toLowerCase();
  if (only) {
    const wanted = only.map((each) => SESSION_STATUS_NAMES[each].toLowerCase()).join(" or ");
    throw wrongState(`This session is ${name}. It can only be done in a session that is ${wanted}.`);
  }
  throw wrongState(
    status === "locked"
      ? "This session is locked and cannot change. Add an amendment to correct it."
      : `This session was ${name} and cannot change. Start another one.`,
  );
}

/** A session as this person may read it: proposals that are not for their eyes are left out. */
export async function toSession(scope: Scope, doc: SessionDoc, theCase: Case): Promise<Session> {
  const kept = doc.proposals.map((proposal) => ({ proposal, visibility: readersNow(proposal, doc) }));
  return {
    ...toSessionBase(doc),
    mediatorNames: await namesOf(scope, doc.mediatorIds),
    ...(await safetyOf(scope, doc)),
    proposals: onlyReadable(staffReader(scope, theCase), kept).map(({ proposal }) => toProposal(proposal)),
    measures: await measuresFor(scope, theCase),
    unmet: toUnmet(scope, doc.unmet),
    unmetBefore: toUnmet(scope, doc.unmetBefore),
  };
}

const toUnmet = (scope: Scope, unmet: readonly UnmetDoc[] = []): Session["unmet"] =>
  unmet.map(({ what, reason, at, byName }) => ({
    ...missingFor(scope, what, reason),
    at: at.toISOString(),
    byName,
  }));

/** What was found of somebody's safety is read as a screening is. */
async function safetyOf(scope: Scope, doc: SessionDoc): Promise<Pick<Session, "safetyReviews"> & Partial<Session>> {
  if (!can(scope, "screening.read")) return { safetyReview: null, safetyReviews: null };
  return { safetyReviews: await safetyReviewsOf(scope, doc) };
}

async function measuresFor(scope: Scope, theCase: Case): Promise<Session["measures"]> {
  if (!can(scope, "screening.read")) return null;
  const latest = await latestScreenings(scope, theCase.id);
  return theCase.parties.flatMap(({ partyId }) => {
    const measures = latest.get(partyId)?.measures ?? [];
    return measures.length > 0 ? [{ partyId, measures }] : [];
  });
}
