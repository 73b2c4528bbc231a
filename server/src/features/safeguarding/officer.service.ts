// The nominated officer, to whom all suspicions about the proceeds of crime go.
import { OFFICERS_MAX, type officerSchema } from "@app/shared/safeguarding";
import mongoose from "mongoose";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { giveEach } from "../tasks/follow-up-tasks.service.ts";
import { mayTake } from "../tasks/task-takers.service.ts";
import { colleagues } from "../users/users.service.ts";
import { OfficerModel, SafeguardingModel } from "./safeguarding.model.ts";

const officerDoc = (ownerId: string) => OfficerModel.findOne({ _id: ownerId, ownerId }).lean();
export const officerIdOf = async (ownerId: string): Promise<string | null> =>
  (await officerDoc(ownerId))?.userId ?? null;

/** Whether this person works here, and may read the record: of this case, or at all where none is named. */
const mayRead = ({ ownerId }: Scope, userId: string, caseId: string | null): Promise<boolean> =>
  mayTake(ownerId, userId, { caseId, clientId: null, needs: "safeguarding.read" });

/** Null where nobody is named, or who is named may not read it: suspended, gone, or without the permission by now. */
export async function readingOfficer(scope: Scope, caseId: string | null): Promise<string | null> {
  const userId = await officerIdOf(scope.ownerId);
  return userId !== null && (await mayRead(scope, userId, caseId)) ? userId : null;
}

/** Whatever the task said more would tell of the suspicion whoever looks over their shoulder. */
export async function askOfficerToRead(scope: Scope, caseId: string): Promise<void> {
  const officerId = await readingOfficer(scope, caseId);
  if (officerId === null) return;
  await giveEach(scope, [officerId], {
    title: "Read the safeguarding record",
    dueOn: await practiceToday(scope.ownerId),
    caseId,
    clientId: null,
    needs: "safeguarding.read",
  });
}

/** Suspicions of before wait for whoever is named. */
async function askToReadAll(scope: Scope, officerId: string): Promise<void> {
  const ofOthers = { kind: "suspicious_activity", authorId: mongoose.trusted({ $ne: officerId }) } as const;
  const filter = { ownerId: scope.ownerId, ...ofOthers, removedCaseEnc: null };
  for (const caseId of await SafeguardingModel.distinct("caseId", filter)) await askOfficerToRead(scope, caseId);
}

export async function getOfficer(scope: Scope, caseId: string | null): Promise<z.infer<typeof officerSchema>> {
  const { ownerId } = scope;
  if (caseId !== null) await getCase(scope, caseId);
  const { userId = null, named = [] } = (await officerDoc(ownerId)) ?? {};
  const name = (await colleagues(ownerId)).find((each) => each.userId === userId)?.name ?? "";
  const toldOf = ({ at, ...one }: (typeof named)[number]) => ({
    name: one.name,
    byName: one.byName,
    at: at.toISOString(),
  });
  const isReader = (await readingOfficer(scope, caseId)) !== null;
  return { userId, name, mayRead: isReader, named: named.map(toldOf).toReversed() };
}

/**
 * Who reads every suspicion; they open it with the permission for the record, as everybody does, and without it they would
 * leave each suspicion to its author alone. Each naming is kept and told to whoever may read the record: nobody reads what
 * others suspect unseen.
 */
export async function setOfficer(scope: Scope, userId: string | null): Promise<z.infer<typeof officerSchema>> {
  const { ownerId, userName: byName } = scope;
  const person = (await colleagues(ownerId)).find((each) => each.userId === userId && each.isActive);
  if (userId !== null && !person) throw badField("userId", "Choose somebody of this practice.");
  if (person && !(await mayRead(scope, person.userId, null)))
    throw badField(
      "userId",
      `${person.name} may not read the safeguarding record. Give them the permissions “See clients and cases” and “Read the safeguarding record” first.`,
    );
  const before = await officerDoc(ownerId);
  if ((before?.userId ?? null) === userId) return getOfficer(scope, null);
  if ((before?.named?.length ?? 0) >= OFFICERS_MAX)
    throw wrongState(`An officer can be named ${OFFICERS_MAX} times, so that each is remembered. That was the last.`);
  const naming = { userId, name: person?.name ?? "", byName, at: now() };
  await inTransaction(async () => {
    await OfficerModel.updateOne(
      { _id: ownerId, ownerId },
      { $set: { userId }, $push: { named: naming } },
      { upsert: true },
    );
    if (userId !== null) await askToReadAll(scope, userId);
  });
  return getOfficer(scope, null);
}
