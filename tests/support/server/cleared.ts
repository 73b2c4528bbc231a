import { newId } from "@app/server/core/ids";
import { clientTerms } from "@app/server/features/clients/clients.service";
import { ConflictCheckModel } from "@app/server/features/conflicts/conflicts.model";
import { hashOf } from "@app/server/features/conflicts/conflicts.service";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";

/**
 * Stores that the conflict check of a case was decided, and nothing else that follows from it, so that its parties may
 * come in a test that is about other things. False where another process keeps the case: then nothing is stored.
 */
export async function cleared({ id: caseId, parties }: Pick<Case, "id" | "parties">): Promise<boolean> {
  if (mongoose.connection.readyState !== mongoose.ConnectionStates.connected) return false;
  const cases = mongoose.connection.collection<{ _id: string; ownerId: string }>("cases");
  const stored = await cases.findOne({ _id: caseId }, { projection: { ownerId: 1 } });
  if (!stored) return false;
  const { ownerId } = stored;
  const clientIds = parties.map(({ clientId }) => clientId);
  await ConflictCheckModel.create([
    {
      _id: newId(),
      ownerId,
      caseId,
      clientIds,
      termsHash: hashOf(await clientTerms(ownerId, clientIds)),
      algorithmVersion: 1,
      hits: [],
      decision: "clear",
      decidedBy: ownerId,
      decidedByName: "Ines Marchbank",
      decidedAt: new Date(),
    },
  ]);
  return true;
}
