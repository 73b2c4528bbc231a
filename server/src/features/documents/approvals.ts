// What each participant says of a finished document that is for all of them, as the mediator heard it.
import type { z } from "zod";
import { addDays } from "@app/shared/days";
import { APPROVED_KINDS } from "@app/shared/document-approvals";
import type { recordApprovalSchema, WrittenDocument } from "@app/shared/documents";
import { answersFor } from "@app/shared/team-access";
import { instantOf } from "@app/shared/wall-time";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, forbidden, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive, assertInCase } from "../cases/case-days.service.ts";
import { requireParty } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { readableDocument } from "./document-access.ts";
import { type DocumentDoc, DocumentModel, toDocument } from "./documents.model.ts";
import { tell } from "./documents.service.ts";

const ONLY_THEY_RECORD =
  "The owner of the practice or a mediator of this case records what the participants say of a document. Ask one of them.";

/** In the place of what the same participant said before. Another text is another document, which nobody approved yet. */
export const recordApproval = (
  scope: Scope,
  { id, ...approval }: z.output<typeof recordApprovalSchema>,
): Promise<WrittenDocument> =>
  inTransaction(async () => {
    const { doc, theCase } = await readableDocument(scope, id);
    if (!answersFor(scope, theCase.mediators)) throw forbidden(ONLY_THEY_RECORD);
    assertAsked(doc);
    const party = requireParty(theCase, approval.partyId);
    if (party.leftAt !== null) throw badField("partyId", `${party.name} has left this case. Choose somebody else.`);
    await assertInCase(scope, theCase, "on", approval.on);
    await assertAlive(scope, party, "on", approval.on);
    // A day without a time may have been until it was over.
    const dayEnds = instantOf(await practiceTimeZone(scope.ownerId), { day: addDays(approval.on, 1), time: "00:00" });
    if (dayEnds < doc.savedAt)
      throw badField("on", "The document was not written yet on that day. Enter when they said it of this one.");
    const others = (doc.approvals ?? []).filter(({ partyId }) => partyId !== approval.partyId);
    const approvals = [...others, { ...approval, recordedByName: scope.userName, at: now() }];
    const changed = await DocumentModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: id },
      { $set: { approvals } },
      { returnDocument: "after", lean: true },
    );
    if (!changed) throw notFound("Document");
    const did = approval.decision === "approved" ? "approved by" : "not approved yet: a change is asked for by";
    await tell(scope, changed, `${did} ${party.label}`);
    return toDocument(changed);
  });

function assertAsked({ status, deletedAt, kind, addressee, supersededById }: DocumentDoc): void {
  if (deletedAt !== null) throw wrongState("This document was removed. Bring it back first.");
  if (status !== "finished")
    throw wrongState("This document is still a draft. Finish it, so that everybody speaks of the same text.");
  if (addressee.kind !== "joint" || !APPROVED_KINDS.includes(kind))
    throw wrongState(
      "Only what is written for all participants, such as a statement or a memorandum, is approved by them.",
    );
  if (supersededById)
    throw wrongState("A newer one took the place of this document. Record what they say of that one.");
}
