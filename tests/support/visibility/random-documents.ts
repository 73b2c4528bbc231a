// Drafts of a case, each in the confidence of somebody or for somebody, with one word of its own.
import type { Scope } from "@app/server/core/trpc";
import { isFieldError } from "@app/server/core/errors";
import { dataFor } from "@app/server/features/documents/document-data";
import { DocumentModel } from "@app/server/features/documents/documents.model";
import { getCase } from "@app/server/features/cases/cases.service";
import type { Case } from "@app/shared/cases";
import type { Addressee } from "@app/shared/documents";
import { mayBeNamedTo } from "@app/shared/told-parties";
import { caucusOf, forParty, mayPartyRead, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { doc, para } from "../documents/content.ts";
import { asOf } from "./random-records.ts";
import type { Secret } from "./random-case.ts";

/** They are stored as they are: what no dialog offers must be kept too. */
export async function writeDocuments(scope: Scope, begun: Case, name: string): Promise<Secret[]> {
  const theCase = await getCase(scope, begun.id);
  const ids = theCase.parties.map(({ partyId }) => partyId);
  const readers: [Addressee, Visibility][] = [
    [{ kind: "practice", partyId: null }, PRACTICE_ONLY],
    [{ kind: "joint", partyId: null }, SHARED],
    ...ids.map((partyId): [Addressee, Visibility] => [{ kind: "practice", partyId }, caucusOf(partyId)]),
    ...ids.map((partyId): [Addressee, Visibility] => [{ kind: "party", partyId }, forParty(partyId)]),
  ];
  const secrets = readers.map(([addressee, visibility], index) => {
    const times = asOf(new Date());
    const known = theCase.parties.filter((party) => mayPartyRead({ visibility, ...times }, party));
    const canary = `${name}draft${index}end`.toLowerCase();
    return { addressee, canary, visibility, readers: new Set(known.map(({ partyId }) => partyId)), ...times };
  });
  const by = { createdBy: scope.userId, createdByName: "Ines", savedBy: scope.userId, savedByName: "Ines" };
  for (const { addressee, canary, visibility, since } of secrets) {
    const words = {
      name: canary,
      kind: "letter" as const,
      addressee,
      privilege: "none" as const,
      visibility,
      content: doc(para(canary)),
    };
    const at = { createdAt: since, savedAt: since };
    await DocumentModel.create([{ ...words, ...by, ...at, ownerId: scope.ownerId, caseId: theCase.id }]);
  }
  return secrets.map(({ addressee: _addressee, ...secret }) => ({ ...secret, kind: "document", shownTo: new Set() }));
}

/**
 * All that a paper for this party can say, and one for all of them where there can be one; without the names of those of
 * whom they were told.
 */
export async function sayableTo(scope: Scope, begun: Case, partyId: string): Promise<string> {
  const theCase = await getCase(scope, begun.id);
  const party = theCase.parties.find((one) => one.partyId === partyId);
  if (!party) throw new Error("the case has no such party");
  const own = await dataFor(scope, theCase, { addressee: { kind: "party", partyId }, privilege: "without_prejudice" });
  const joint = mayPartyRead({ visibility: SHARED, ...asOf(new Date()) }, party) ? await jointIn(scope, theCase) : null;
  const told = theCase.parties.filter((other) => mayBeNamedTo(theCase, party, other));
  return told.reduce((text, { name }) => text.replaceAll(name, ""), JSON.stringify([own, joint]));
}

/** Null while not all were told of each other. */
const jointIn = (scope: Scope, theCase: Case) =>
  dataFor(scope, theCase, {
    addressee: { kind: "joint", partyId: null },
    privilege: "without_prejudice",
  }).catch((error: unknown) => {
    if (isFieldError(error)) return null;
    throw error;
  });
