// Mails that were begun and not sent. Only their writer finds them again.
import { type MailDraft, mailDraftSchema, type MailStart } from "@app/shared/mail-check";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { MailDraftModel } from "./mail-drafts.model.ts";

const placeOf = (ownerId: string, id: string) => `mail_drafts:${ownerId}:${id}`;
defineSealedField({ collection: "mail_drafts", path: "contentEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

const ownDraft = (scope: Scope, clientId: string) => ({
  ownerId: scope.ownerId,
  createdBy: scope.userId,
  clientId,
});

/** Keeps what is written; the one of before gives way to it. */
export async function saveDraft(scope: Scope, draft: MailDraft): Promise<{ savedAt: string }> {
  await assertClientsVisible(scope, [draft.clientId]);
  try {
    return await writeDraft(scope, draft);
  } catch (error) {
    // Two windows began at the same moment: the second finds what the first made.
    if (isDuplicateKey(error)) return writeDraft(scope, draft);
    throw error;
  }
}

async function writeDraft(scope: Scope, draft: MailDraft): Promise<{ savedAt: string }> {
  const filter = ownDraft(scope, draft.clientId);
  const known = await MailDraftModel.findOne(filter, { _id: 1 }).lean();
  const id = known?._id ?? newId();
  const savedAt = now();
  const set = { contentEnc: encrypt(JSON.stringify(draft), placeOf(scope.ownerId, id)), savedAt };
  if (known) await MailDraftModel.updateOne({ ...filter, _id: id }, { $set: set });
  else await MailDraftModel.create([{ ...filter, ...set, _id: id }]);
  return { savedAt: savedAt.toISOString() };
}

export async function findDraft(scope: Scope, clientId: string): Promise<MailStart["draft"]> {
  const doc = await MailDraftModel.findOne(ownDraft(scope, clientId)).lean();
  if (!doc) return null;
  const content = mailDraftSchema.safeParse(JSON.parse(decrypt(doc.contentEnc, placeOf(scope.ownerId, doc._id))));
  return content.success ? { content: content.data, savedAt: doc.savedAt.toISOString() } : null;
}

export async function discardDraft(scope: Scope, clientId: string): Promise<void> {
  await MailDraftModel.deleteOne(ownDraft(scope, clientId));
}
