import type { Logger } from "../../core/logger.ts";
import { LEFT_PARTY_STATUSES } from "@app/shared/case-states";
import { joinedLines } from "../history/history.migration.ts";
import { CaseModel } from "./cases.model.ts";

/**
 * Since when and until when each party is in their case. Those of whom the history does not tell that they joined were
 * there from the start; whoever is out of it left when they came into that state.
 */
export async function timesOfParties(log: Logger): Promise<void> {
  const joined = await joinedLines();
  const docs = CaseModel.find({}, { ownerId: 1, parties: 1 }).setOptions({ anyOwner: true }).lean().cursor();
  for await (const { _id, ownerId, parties } of docs) {
    for (const { partyId, label, status, statusSince, joinedAt, leftAt } of parties) {
      const times = {
        joinedAt: joinedAt ?? joined.get(`${_id} ${label}`) ?? null,
        leftAt: leftAt ?? (LEFT_PARTY_STATUSES.includes(status) ? statusSince : null),
      };
      await CaseModel.updateOne(
        { _id, ownerId, "parties.partyId": partyId },
        { $set: { "parties.$.joinedAt": times.joinedAt, "parties.$.leftAt": times.leftAt } },
        { timestamps: false },
      );
    }
  }
  log.info({ joinedLater: joined.size }, "times of parties noted");
}
