// What somebody tries with a thing in confidence: to let it out, to change what was let out, to bring it in once more.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { releaseFile, updateFile } from "@app/server/features/files/file-changes.service";
import { moveFiles } from "@app/server/features/files/file-moves.service";
import { storeFile } from "@app/server/features/files/files.service";
import { releaseNote } from "@app/server/features/notes/note-release.service";
import { updateNote } from "@app/server/features/notes/notes.service";
import type { Case } from "@app/shared/cases";
import { mayHold } from "@app/shared/confidences";
import { richTextOf } from "@app/shared/rich-text";
import { isCaucus, PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { TRPCError } from "@trpc/server";
import { expect } from "vitest";
import type { Secret } from "./random-case.ts";

export interface Kept {
  theCase: Case;
  secret: Secret;
  /** Empty where it has none that a call could name. */
  id: string;
  present: string[];
}

export function refused(error: unknown): null {
  if (!(error instanceof TRPCError)) throw error;
  return null;
}

/** With the party's consent, where it is theirs alone; a note says something else then, and goes on saying it. */
export async function release(scope: Scope, { secret, id, present }: Kept): Promise<Secret> {
  const [about, ...more] = secret.visibility.aboutPartyIds;
  if (about === undefined || more.length > 0) return secret;
  const consent = { grantedByPartyId: about, at: new Date().toISOString(), how: "In the room" };
  if (secret.kind === "note") {
    const words = { id, newId: newId(), body: richTextOf("What was agreed to be said"), consent };
    const { id: out, version } = await releaseNote(scope, words);
    const other = { id: out, version, saveId: newId(), body: richTextOf(secret.canary) };
    await expect(updateNote(scope, other)).rejects.toThrow("released with a party’s consent");
    return secret;
  }
  const { id: out, version, tags } = await releaseFile(scope, { id, newId: newId(), readers: SHARED, consent });
  const other = { id: out, version, tags, name: "Other words.txt", visibility: SHARED };
  await expect(updateFile(scope, other)).rejects.toThrow("released with a party’s consent");
  const readers = new Set([...secret.readers, ...present]);
  return { ...secret, visibility: { scope: "party", partyIds: [...readers], aboutPartyIds: [] }, readers };
}

/** Somebody files it once more, from the mail of whoever it is of, for all to read; and takes it in from their client. */
export async function bring(scope: Scope, { theCase: { id: caseId }, secret, id }: Kept): Promise<Secret> {
  const theCase = await getCase(scope, caseId);
  const [about, ...more] = secret.visibility.aboutPartyIds;
  const clientId = theCase.parties.find(({ partyId }) => partyId === about)?.clientId;
  if (!clientId || more.length > 0 || !mayHold(theCase, secret.visibility)) return secret;
  const name = `${secret.canary}.txt`;
  const by = { clientId, namedIds: [], fileIds: [] };
  const file = (content: string, fileIds: string[]) =>
    storeFile(
      scope,
      Readable.from([content]),
      { name, clientId, caseId, visibility: SHARED },
      { by: { ...by, fileIds } },
    ).catch(refused);
  await file(secret.canary, []);
  await file(newId(), [id]);
  await file(newId(), []);
  if (!isCaucus(secret.visibility) || secret.visibility.scope === "mediator") return secret;
  const loose = { name: "papers.txt", clientId, caseId: null, visibility: PRACTICE_ONLY };
  const { id: taken } = await storeFile(scope, Readable.from([newId()]), loose);
  await moveFiles(scope, { ids: [taken], clientId, caseId });
  await releaseFile(scope, { id: taken, newId: newId(), readers: SHARED, consent: null }).then(
    () => expect.fail("what was theirs was let out without them"),
    refused,
  );
  return secret;
}
