// An agreement to mediate that not everybody signs is somebody's to look after: one of them refused, left, or ran out of time.
import { isTakingPart } from "@app/shared/case-states";
import { cutText } from "@app/shared/cut-text";
import { inWords } from "@app/shared/in-words";
import { OPEN_STATUSES } from "@app/shared/signatures";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { systemScope } from "../../core/system-scope.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { mayHaveIt } from "./shown-links.ts";
import { isParty, type PartySigner, type SignatureDoc, SignatureModel, type SignerDoc } from "./signatures.model.ts";

type Agreement = Pick<SignatureDoc, "_id" | "ownerId" | "caseId" | "fileId" | "createdBy" | "isAgreement">;
type Unsigned = Pick<PartySigner, "name" | "clientId">;

const WHY = {
  refused: (names) =>
    `${names} refused to sign the agreement to mediate. Speak with them, and record in the case what they decide, or send out a new agreement`,
  left: (names) =>
    `The agreement to mediate that is out still waits for ${names}, who left the case. Withdraw it, and send out a new one to those who go on`,
  late: (names) =>
    `The time of ${names} to sign the agreement to mediate is over. Speak with them, and give more time or withdraw it`,
} as const satisfies Record<string, (names: string) => string>;

const aboutOf = ({ _id }: Pick<SignatureDoc, "_id">): string => `agreement ${_id} that not everybody signs`;

/** In the transaction of what stands in the way: whoever sent it out, or the owner where they may not have it any more. */
export async function askAboutUnsigned(
  doc: Agreement,
  why: keyof typeof WHY,
  signers: readonly SignerDoc[],
): Promise<void> {
  const unsigned: Unsigned[] = signers.filter(isParty);
  const [first] = unsigned;
  if (!doc.isAgreement || !first) return;
  const { ownerId, caseId, fileId, createdBy } = doc;
  await endAskingAboutUnsigned([doc]);
  const title = cutText(WHY[why](inWords(unsigned.map(({ name }) => name))), TASK_TITLE_MAX_LENGTH);
  const assigneeId = (await mayHaveIt({ ownerId, fileId }, createdBy)) ? createdBy : ownerId;
  const task = { title, dueOn: await practiceToday(ownerId), assigneeId, caseId, clientId: first.clientId };
  await createMissingTasks(systemScope(ownerId), [{ ...task, about: aboutOf(doc) }]);
}

/** They are signed by all, withdrawn, or waited for again. */
export async function endAskingAboutUnsigned(docs: readonly Pick<Agreement, "_id" | "ownerId" | "caseId">[]) {
  const [first] = docs;
  if (first) await callOff({ ownerId: first.ownerId, caseId: first.caseId, abouts: docs.map(aboutOf) });
}

/** A new agreement goes out in the place of those that somebody refused. */
export async function endAskingAboutRefused(ownerId: string, caseId: string): Promise<void> {
  const refused = { ownerId, caseId, isAgreement: true, status: "declined" as const };
  await endAskingAboutUnsigned(await SignatureModel.find(refused, { ownerId: 1, caseId: 1 }).lean());
}

// Whoever left signs it no more, and nothing of it ends by that; whoever is back may sign it. Whoever refused said enough by
// leaving.
defineCaseFollower(async (_scope, before, after) => {
  const stays = new Set(after.parties.filter(isTakingPart).map(({ partyId }) => partyId));
  const moved = before.parties.filter((party) => isTakingPart(party) !== stays.has(party.partyId));
  if (moved.length === 0) return;
  const { ownerId, _id: caseId } = after;
  const status = mongoose.trusted({ $in: [...OPEN_STATUSES, "declined" as const] });
  for (const doc of await SignatureModel.find({ ownerId, caseId, isAgreement: true, status }).lean<SignatureDoc[]>()) {
    const gone = doc.signers.filter(({ partyId, signedAt }) => partyId !== null && !signedAt && !stays.has(partyId));
    if (doc.status !== "declined" && gone.length > 0) await askAboutUnsigned(doc, "left", gone);
    else if (doc.status !== "declined" || gone.some(({ declinedAt }) => declinedAt))
      await endAskingAboutUnsigned([doc]);
  }
});
