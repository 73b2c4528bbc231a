// The practice's files that go with a mail, read when it leaves: whoever may not read one by then does not get it.
import { contentOfFile, fileToSend } from "../files/file-content.service.ts";
import { keptPlaces } from "../files/kept-copies.service.ts";
import { readableOf } from "../files/party-files.service.ts";
import { mayPartyRead } from "@app/shared/visibility";
import { systemScope } from "../../core/system-scope.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import type { KeptFile } from "../mail/gate-files.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";
import type { MailContent } from "./outbox.service.ts";
import type { OutgoingAttachment } from "../mail/senders/sender.service.ts";

interface Carried {
  files: OutgoingAttachment[];
  /** Those of them that may not go to everybody, each as the gate has to know it. */
  keptFiles: KeptFile[][];
}

/** Throws an Error that says what to do where a file cannot go any more. */
export async function filesOf({ ownerId, caseId, partyId }: OutboxDoc, { files }: MailContent): Promise<Carried> {
  const found: OutgoingAttachment[] = [];
  const kept: { blobId: string }[] = [];
  const party =
    files.length > 0 && caseId && partyId ? requireParty(await getCase(systemScope(ownerId), caseId), partyId) : null;
  for (const { fileId, name, mime } of files) {
    const doc = await fileToSend(ownerId, fileId);
    if (!doc) throw new Error(`${name} was deleted before the mail left. Bring it back, or write the mail again.`);
    const isReadable = party ? mayPartyRead(readableOf(doc), party) : doc.visibility.scope === "shared";
    if (!isReadable)
      throw new Error(`${name} may no longer be read by whoever gets this mail. Write the mail again without it.`);
    if (doc.name !== name)
      throw new Error(`${name} has another name by now: ${doc.name}. Write the mail again with it as it is.`);
    kept.push(doc);
    found.push({ name, mime, content: await contentOfFile(doc) });
  }
  return { files: found, keptFiles: await keptPlaces(ownerId, kept) };
}
