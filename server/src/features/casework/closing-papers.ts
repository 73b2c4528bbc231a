// What is said to have gone out when a case ended is on file, or was made outside.
import { labelsOf } from "@app/shared/agreement-gates";
import type { Outcome } from "@app/shared/case-outcomes";
import { badField } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { findCaseDoc, getCase } from "../cases/cases.service.ts";
import { defineFileHold } from "../files/file-holds.service.ts";
import { papersIn, unreadableBy } from "../files/party-files.service.ts";

/** BAD_REQUEST where nobody says which paper went out, or it is none that those may have to whom it is said to have gone. */
export async function assertOnFile(
  scope: Scope,
  { _id }: Pick<CaseDoc, "_id">,
  { documents }: Pick<Outcome, "documents">,
): Promise<void> {
  if (documents.some(({ fileId, isMadeOutside }) => (fileId === "") !== isMadeOutside))
    throw badField("documents", "Choose of each document which file of the case it is, or that it was made outside.");
  const onFile = documents.filter(({ fileId }) => fileId !== "");
  if (onFile.length === 0) return;
  const theCase = await getCase(scope, _id);
  const files = await papersIn(
    scope,
    theCase,
    onFile.map(({ fileId }) => fileId),
  );
  for (const { fileId, partyIds } of onFile) {
    const file = files.get(fileId);
    if (!file)
      throw badField(
        "documents",
        "This file is not in the case any more. Choose another, or that it was made outside.",
      );
    const parties = theCase.parties.filter(({ partyId }) => partyIds.includes(partyId));
    const unread = unreadableBy(file, parties);
    if (unread.length > 0)
      throw badField(
        "documents",
        `${labelsOf(unread)} may not read “${file.name}”. Change under Files who reads it, choose another, or that it was made outside.`,
      );
  }
}

defineFileHold(async ({ _id, ownerId, caseId, name }) => {
  if (caseId === null) return null;
  const { outcome, rounds, caseRef } = await findCaseDoc(systemScope(ownerId), caseId);
  const ends = [outcome, ...rounds.map((round) => round.outcome)];
  return ends.some((end) => end?.documents.some(({ fileId }) => fileId === _id))
    ? `How case ${caseRef} ended says that “${name}” went out, so it stays.`
    : null;
});
