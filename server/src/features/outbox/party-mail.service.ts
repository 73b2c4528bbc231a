import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { ASKED_MAX, lengthOf } from "@app/shared/party-preview";
import { forParty } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { shownToOthers } from "../../core/public-tokens.ts";
import { definePartyTrace, notCancelled } from "../cases/party-traces.service.ts";
import { type ForParty, readableFor } from "../visibility/for-party.service.ts";
import { readShown } from "../visibility/shown-items.service.ts";
import type { GuardedItem } from "../visibility/visibility.service.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";
import { contentOf, type MailContent } from "./outbox.service.ts";

definePartyTrace("a letter or mail was written", async ({ ownerId }, { caseId, partyId, clientId }) =>
  Boolean(await OutboxModel.exists({ ownerId, caseId, state: notCancelled, $or: [{ partyId }, { clientId }] })),
);

/** Whoever it was for may have it. */
const LEFT = ["sent", "uncertain", "bounced"] as const;

/** A letter that is filed with a party may have gone to others about them; whatever else is written is written to them. */
function hasReached({ purpose, clientId }: OutboxDoc, { expected }: MailContent): boolean {
  const isTheirs = ({ address, people }: MailContent["expected"][number]) =>
    address !== "" && people.includes(`client:${clientId ?? ""}`);
  return purpose !== "letter" || expected.some(isTheirs);
}

/** The mails of a case to one party, as they got them; what waits can still be taken back. */
export async function partyMail(
  scope: Scope,
  theCase: Case,
  partyId: string,
): Promise<ForParty<readonly GuardedItem[]>> {
  const state = mongoose.trusted({ $in: [...LEFT] });
  const found = OutboxModel.find({ ownerId: scope.ownerId, caseId: theCase.id, partyId, state })
    .sort({ createdAt: -1 })
    .lean();
  const itemOf = async (doc: OutboxDoc): Promise<GuardedItem | null> => {
    const content = contentOf(doc);
    if (!hasReached(doc, content)) return null;
    const [title = "", detail = ""] = await shownToOthers([content.subject, content.text]);
    return {
      kind: "message",
      id: doc._id,
      title,
      detail,
      at: doc.createdAt.toISOString(),
      since: doc.createdAt,
      changedAt: doc.createdAt,
      visibility: forParty(partyId),
    };
  };
  return readableFor({ theCase, partyId }, await readShown(found, itemOf, lengthOf, ASKED_MAX));
}
