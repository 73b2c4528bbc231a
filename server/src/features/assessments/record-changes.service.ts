// What is recorded of a MIAM turns out to be wrong: what it said before stays to be read, and what stands on it follows.
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import {
  type AssessmentContent,
  type AssessmentDoc,
  AssessmentModel,
  contentOf,
  sealContent,
} from "./assessments.model.ts";

type Follower = (scope: Scope, record: Pick<AssessmentDoc, "caseId" | "origin" | "status">) => Promise<void>;
const followers: Follower[] = [];

/** What follows where a record turns out to be wrong, or one that another service held is recorded, in its transaction; called once, beside the code that does it. */
export const defineRecordFollower = (follow: Follower): void => void followers.push(follow);

export async function tellFollowers(scope: Scope, record: AssessmentDoc): Promise<void> {
  for (const follow of followers) await follow(scope, record);
}

/** In the practice's history: whoever attended is told that they did, once. */
export const tell = (scope: Scope, { caseId, clientId }: AssessmentDoc, text: string) =>
  recordEvent(scope, { kind: "case", text, caseId, clientIds: [clientId], visibility: PRACTICE_ONLY });

export async function save(doc: AssessmentDoc, set: Partial<AssessmentDoc>): Promise<AssessmentDoc> {
  const { version: _version, certificateIds: _certificates, ...fields } = set;
  const saved = await AssessmentModel.findOneAndUpdate(
    { ownerId: doc.ownerId, _id: doc._id, version: doc.version },
    { $set: fields, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!saved) throw stale("record");
  return saved;
}

/** What is said in it, with what it said before it was corrected. */
export function corrected(
  scope: Scope,
  doc: AssessmentDoc,
  content: AssessmentContent,
  reason: string,
): AssessmentContent {
  const { attendedOn, place, where, minutes, mediatorName, company, withPartyIds } = doc;
  const { corrections, ...said } = content;
  const before = { attendedOn, place, where, minutes, mediatorName, company, withPartyIds, ...said };
  return {
    ...content,
    corrections: [...corrections, { at: now().toISOString(), byName: scope.userName, reason, before }],
  };
}

export function assertNoCertificate({ certificateIds }: AssessmentDoc): void {
  if (certificateIds.length > 0)
    throw wrongState("A certificate stands on this record. Declare the certificate void first, with its reason.");
}

interface Mistake {
  /** Of whoever it says attended. */
  label: string;
  reason: string;
}

/** Recorded in error: it counts for nothing any more, and stays to be read. Call it in a transaction. */
export async function strike(scope: Scope, doc: AssessmentDoc, { label, reason }: Mistake): Promise<AssessmentDoc> {
  assertNoCertificate(doc);
  const content = corrected(scope, doc, contentOf(doc), reason);
  const saved = await save(doc, { status: "struck", contentEnc: sealContent(scope.ownerId, doc._id, content) });
  const { calendarDay } = await practiceDates(scope.ownerId);
  const record = `Record of a first meeting of ${label} of ${calendarDay(doc.attendedOn)}`;
  await tell(scope, saved, `${record} struck as recorded in error, because: ${reason}`);
  await tellFollowers(scope, saved);
  return saved;
}

interface Attendance extends Mistake {
  caseId: string;
  partyId: string;
  attendedOn: string;
  /** They had attended another one before. */
  hadAttended: boolean;
}

/**
 * That they attended and the record of it are one fact: whoever takes the step back strikes the record with it. Gives the
 * day of the latest one that is still recorded, empty where none is. Call it in the transaction of the step.
 */
export async function strikeAttended(scope: Scope, attendance: Attendance): Promise<string> {
  const { caseId, partyId, attendedOn, hadAttended, label } = attendance;
  const held = await AssessmentModel.find({ ownerId: scope.ownerId, caseId, partyId, status: "held" })
    .sort({ attendedOn: -1 })
    .lean();
  const [latest] = held.filter((doc) => doc.attendedOn !== attendedOn);
  if (latest && !hadAttended)
    throw wrongState(
      `More than one first meeting of ${label} is recorded. Strike the record of each that did not take place, where they stand on the case: the last one takes the step back with it.`,
    );
  for (const doc of held.filter((each) => each.attendedOn === attendedOn)) await strike(scope, doc, attendance);
  return latest?.attendedOn ?? "";
}
