// Who works on a case was copied and only added to; now a case says it, and its clients follow.
import mongoose from "mongoose";
import { clientIdsOfAll } from "../clients/clients.service.ts";
import { reassignClients, workersOf } from "./case-team.service.ts";
import { type CaseDoc, CaseModel } from "./cases.model.ts";

const CLIENTS_AT_ONCE = 500;

export async function bringInTeams(): Promise<void> {
  const old = CaseModel.find({ staffIds: mongoose.trusted({ $exists: false }) }, TEAM)
    .setOptions({ anyOwner: true })
    .lean<Old>()
    .cursor();
  for await (const doc of old) await bringIn(doc);
  await assignAgain();
}

/** Every client follows their cases anew: also for what is derived from these since then. */
export async function assignAgain(): Promise<void> {
  for (const [ownerId, ids] of await clientIdsOfAll())
    for (let from = 0; from < ids.length; from += CLIENTS_AT_ONCE)
      await reassignClients(ownerId, ids.slice(from, from + CLIENTS_AT_ONCE));
}

const TEAM = { ownerId: 1, mediators: 1, createdBy: 1 } as const;
type Old = Pick<CaseDoc, "_id" | "ownerId" | "mediators" | "createdBy">;

/** Until now whoever had opened a case worked on it for good; the owner works on all. */
async function bringIn({ _id, ownerId, mediators, createdBy }: Old): Promise<void> {
  const isMediator = mediators.some(({ userId }) => userId === createdBy);
  const team = { mediators, staffIds: isMediator || createdBy === ownerId ? [] : [createdBy] };
  await CaseModel.updateOne(
    { _id, ownerId },
    { $set: { staffIds: team.staffIds, assignedUserIds: workersOf(team) } },
    { timestamps: false },
  );
}
