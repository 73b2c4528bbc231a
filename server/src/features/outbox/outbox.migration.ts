import { PARTY_LEAK } from "@app/shared/party-leak";
import { OutboxModel } from "./outbox.model.ts";

/** Why a mail did not leave once began with a code. */
export async function reasonsWithoutCode(): Promise<void> {
  await OutboxModel.collection.updateMany({ reason: { $regex: PARTY_LEAK } }, [
    { $set: { reason: { $replaceOne: { input: "$reason", find: PARTY_LEAK, replacement: "" } } } },
  ]);
}
