// Mails that were begun and not sent. Only their writer finds them again.
import type { z } from "zod";
import {
  type discardDraftSchema,
  DRAFTS_MAX,
  type KeptDraft,
  type MailDraft,
  mailDraftSchema,
  type MailStart,
  type saveDraftSchema,
  type savedDraftSchema,
} from "@app/shared/mail-check";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { readableFile } from "../files/files.service.ts";
import { getMeeting } from "../meetings/meetings.service.ts";
import type { Place } from "./compose-context.ts";
import { type MailDraftDoc, MailDraftModel } from "./mail-drafts.model.ts";

/** What a window says of a draft that it has not saved yet. */
const NEVER_SAVED = 0;

const CHANGED = "This draft was changed in another window.";
const ENDED = "This draft was sent or discarded in another window.";

type Saved = z.infer<typeof savedDraftSchema>;

const placeOf = (ownerId: string, id: string) => `mail_drafts:${ownerId}:${id}`;
defineSealedField({ collection: "mail_drafts", path: "contentEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

const ownDrafts = (scope: Scope, { clientId, caseId }: Place) => ({
  ownerId: scope.ownerId,
  createdBy: scope.userId,
  clientId,
  caseId,
});

/** Nobody but this window has saved it since the window last did, or read it. */
const isUnchanged = ({ version, windowId }: MailDraftDoc, seen: KeptDraft): boolean =>
  version === seen.version || windowId === seen.windowId;

/** Keeps what is written. Where another window saved the same draft meanwhile it is refused, and that one stays. */
export async function saveDraft(scope: Scope, { kept, ...draft }: z.output<typeof saveDraftSchema>): Promise<Saved> {
  await assertClientsVisible(scope, [draft.clientId]);
  const theCase = draft.caseId ? await getCase(scope, draft.caseId) : null;
  if (theCase && !theCase.parties.some(({ clientId }) => clientId === draft.clientId))
    throw notFound("This client’s part in the case");
  await assertOwnThings(scope, draft, kept);
  try {
    return await inTransaction(() => storeDraft(scope, draft, kept));
  } catch (error) {
    // Begun at the same moment elsewhere, or the id is another draft’s.
    throw isDuplicateKey(error) ? stale("draft") : error;
  }
}

/** What is named anew is this person's to name; what they could see before does not cost them their text. */
async function assertOwnThings(scope: Scope, draft: MailDraft, { id }: KeptDraft): Promise<void> {
  const doc = await MailDraftModel.findOne({ ...ownDrafts(scope, draft), _id: id }).lean();
  const before = doc && contentOf(doc);
  for (const fileId of draft.fileIds) if (!before?.fileIds.includes(fileId)) await readableFile(scope, fileId);
  if (draft.meetingId === null || draft.meetingId === before?.meetingId) return;
  const { caseId } = await getMeeting(scope, draft.meetingId);
  if (caseId !== draft.caseId) throw notFound("Meeting");
}

async function storeDraft(scope: Scope, draft: MailDraft, kept: KeptDraft): Promise<Saved> {
  await takeRecordTurns(scope.ownerId, [draft.clientId, draft.caseId ?? ""]);
  const { id: _id, windowId } = kept;
  const own = ownDrafts(scope, draft);
  const known = await MailDraftModel.findOne({ ...own, _id }).lean();
  if (known && !isUnchanged(known, kept)) throw stale("draft", CHANGED);
  if (!known && kept.version !== NEVER_SAVED) throw stale("draft", ENDED);
  if (!known && (await MailDraftModel.countDocuments(own)) >= DRAFTS_MAX)
    throw wrongState(`You have ${DRAFTS_MAX} drafts for this client. Send or discard some of them first.`);
  const savedAt = now();
  const version = (known?.version ?? 0) + 1;
  const set = { contentEnc: encrypt(JSON.stringify(draft), placeOf(scope.ownerId, _id)), savedAt, version, windowId };
  if (known) await MailDraftModel.updateOne({ ...own, _id, version: known.version }, { $set: set });
  else await MailDraftModel.create([{ ...own, ...set, _id }]);
  return { version, savedAt: savedAt.toISOString() };
}

export function contentOf({ _id, ownerId, contentEnc }: MailDraftDoc): MailDraft | null {
  const content = mailDraftSchema.safeParse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id))));
  return content.success ? content.data : null;
}

/** The one that was saved last. */
export async function findDraft(scope: Scope, place: Place): Promise<MailStart["draft"]> {
  const doc = await MailDraftModel.findOne(ownDrafts(scope, place)).sort({ savedAt: -1, _id: 1 }).lean();
  const content = doc && contentOf(doc);
  return content && { id: doc._id, version: doc.version, content, savedAt: doc.savedAt.toISOString() };
}

/** Throws where another window has saved it meanwhile. */
export async function discardDraft(
  scope: Scope,
  { kept, ...place }: z.output<typeof discardDraftSchema>,
): Promise<void> {
  await endDraft(scope, place, kept);
  if (await MailDraftModel.exists({ ...ownDrafts(scope, place), _id: kept.id })) throw stale("draft");
}

/** As far as this window has seen it: what another has saved since stays. */
async function endDraft(scope: Scope, place: Place, { id, version, windowId }: KeptDraft): Promise<boolean> {
  const ended = await MailDraftModel.deleteOne({
    ...ownDrafts(scope, place),
    _id: id,
    $or: [{ version }, { windowId }],
  });
  return ended.deletedCount > 0;
}

/**
 * In the transaction in which it is sent: one draft, in however many windows, leaves once. CONFLICT where another window
 * has sent it, thrown it away or gone on with it.
 */
export async function sendDraft(scope: Scope, place: Place, kept: KeptDraft): Promise<void> {
  const isEnded = await endDraft(scope, place, kept);
  if (isEnded) return;
  const isKept = await MailDraftModel.exists({ ownerId: scope.ownerId, createdBy: scope.userId, _id: kept.id });
  if (!isKept && kept.version === NEVER_SAVED) return;
  throw stale("draft", `${isKept ? CHANGED : ENDED} Nothing was sent from here: look at it before you send this.`);
}
