// Mails that were begun and not sent. Only their writer finds them again.
import mongoose from "mongoose";
import { type MailDraft, mailDraftSchema, type MailStart } from "@app/shared/mail-check";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { readableFile } from "../files/files.service.ts";
import { getMeeting } from "../meetings/meetings.service.ts";
import type { Place } from "./compose-context.ts";
import { dropOldDraftIndex, type MailDraftDoc, MailDraftModel } from "./mail-drafts.model.ts";

const placeOf = (ownerId: string, id: string) => `mail_drafts:${ownerId}:${id}`;
defineSealedField({ collection: "mail_drafts", path: "contentEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

const ofClient = (scope: Scope, clientId: string) => ({ ownerId: scope.ownerId, createdBy: scope.userId, clientId });
const ownDraft = (scope: Scope, { clientId, caseId }: Place) => ({ ...ofClient(scope, clientId), caseId });

/** Keeps what is written; the one of before for this client and case gives way to it. */
export async function saveDraft(scope: Scope, draft: MailDraft): Promise<{ savedAt: string }> {
  await assertClientsVisible(scope, [draft.clientId]);
  const theCase = draft.caseId ? await getCase(scope, draft.caseId) : null;
  if (theCase && !theCase.parties.some(({ clientId }) => clientId === draft.clientId))
    throw notFound("This client’s part in the case");
  await assertOwnThings(scope, draft);
  try {
    return await writeDraft(scope, draft);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Two windows began at the same moment, and the second finds what the first made; or the index is an old one.
    await dropOldDraftIndex();
    return writeDraft(scope, draft);
  }
}

/** What is named anew is this person's to name; what they could see before does not cost them their text. */
async function assertOwnThings(scope: Scope, draft: MailDraft): Promise<void> {
  const before = (await findDraft(scope, draft))?.content;
  for (const id of draft.fileIds) if (!before?.fileIds.includes(id)) await readableFile(scope, id);
  if (draft.meetingId === null || draft.meetingId === before?.meetingId) return;
  const { caseId } = await getMeeting(scope, draft.meetingId);
  if (caseId !== draft.caseId) throw notFound("Meeting");
}

const writeDraft = (scope: Scope, draft: MailDraft): Promise<{ savedAt: string }> =>
  inTransaction(() => storeDraft(scope, draft));

async function storeDraft(scope: Scope, draft: MailDraft): Promise<{ savedAt: string }> {
  await takeRecordTurns(scope.ownerId, [draft.clientId, draft.caseId ?? ""]);
  await sortInOldDraft(scope, draft.clientId);
  const filter = ownDraft(scope, draft);
  const known = await MailDraftModel.findOne(filter, { _id: 1 }).lean();
  const id = known?._id ?? newId();
  const savedAt = now();
  const set = { contentEnc: encrypt(JSON.stringify(draft), placeOf(scope.ownerId, id)), savedAt };
  if (known) await MailDraftModel.updateOne({ ...filter, _id: id }, { $set: set });
  else await MailDraftModel.create([{ ...filter, ...set, _id: id }]);
  return { savedAt: savedAt.toISOString() };
}

/** A draft of the time when there was one for each client finds the case that it says in itself. */
async function sortInOldDraft(scope: Scope, clientId: string): Promise<void> {
  const filter = { ...ofClient(scope, clientId), caseId: mongoose.trusted({ $exists: false }) };
  const old = await MailDraftModel.findOne(filter).lean();
  if (!old) return;
  const caseId = contentOf(old)?.caseId ?? null;
  await MailDraftModel.updateOne({ ...filter, _id: old._id }, { $set: { caseId } });
}

function contentOf({ _id, ownerId, contentEnc }: MailDraftDoc): MailDraft | null {
  const content = mailDraftSchema.safeParse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id))));
  return content.success ? content.data : null;
}

export async function findDraft(scope: Scope, place: Place): Promise<MailStart["draft"]> {
  await sortInOldDraft(scope, place.clientId);
  const doc = await MailDraftModel.findOne(ownDraft(scope, place)).lean();
  const content = doc && contentOf(doc);
  return content && { content, savedAt: doc.savedAt.toISOString() };
}

export async function discardDraft(scope: Scope, place: Place): Promise<void> {
  await sortInOldDraft(scope, place.clientId);
  await MailDraftModel.deleteOne(ownDraft(scope, place));
}
