// What comes back by a mail: it stays what it is on file already, and what somebody mailed in is in their confidence.
import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { whyNotHeld } from "@app/shared/confidences";
import { releasersOf, sharersOf } from "@app/shared/file-releases";
import { type FileMark, NO_MARK } from "@app/shared/files";
import { isWeaker, staysInCase } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { forParty, isCaucus, isNoWiderCopy, mustConsent, SHARED, type Visibility } from "@app/shared/visibility";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type CaseSides, sidesOfCases } from "../cases/case-sides.service.ts";
import { casesOfClients } from "../cases/cases-import.service.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { placesOfContents } from "./content-uses.service.ts";
import { type FileDoc, FileModel, isOfAllParties, toFile } from "./files.model.ts";
import { casesOfFiles, readerIdsOf } from "./party-files.service.ts";

/** The mail that brings a content. */
export interface Bringing {
  /** On whose page it stands. */
  clientId: string;
  /** Every client whom it names. */
  namedIds: readonly string[];
  /** What it carried, where it was written here. */
  fileIds: readonly string[];
}

interface Brought {
  theCase: Case | null;
  blobId: string;
  asked: Visibility;
  by: Bringing;
}

type AsKept = Pick<FileDoc, "visibility" | "mark" | "wasShared">;

/** As what it is kept. Throws where anybody would read it whom what is on file, or whoever wrote the mail, keeps out. */
export async function asKept(scope: Scope, { theCase, blobId, asked, by }: Brought): Promise<AsKept> {
  const { docs, sides } = await sameAs(scope.ownerId, blobId, by);
  const here = docs.filter(({ caseId }) => theCase !== null && caseId === theCase.id);
  if (here.length === 0) await assertMayLeave(scope, { docs, sides, by, isForCase: theCase !== null });
  const mark = strictest(here.length > 0 ? here : docs);
  if (!theCase) return { visibility: asked, mark, wasShared: false };
  const partyId = theCase.parties.find(({ clientId }) => clientId === by.clientId)?.partyId ?? "";
  const theirs = standing(here.filter((doc) => isTheirs(doc, partyId)));
  const limits = theirs.length > 0 ? theirs.map((doc) => doc.visibility) : [limitOf(theCase, by, mark)];
  const visibility = limits.map((limit) => within(limit, asked)).find((one) => one !== null);
  const own = theirs.length > 0 ? [] : standing(here.filter((doc) => mustConsent(doc.visibility).length === 0));
  const isAsOwn = own.length === 0 || own.some((doc) => visibility && isNoWiderCopy(doc.visibility, visibility));
  if (!visibility || !isAsOwn) throw badField("visibility", STAYS_THEIRS);
  return { visibility, mark, wasShared: visibility.scope === "shared" || theirs.some(isOfAllParties) };
}

// Says nothing of whose it is, nor where: not everybody who sends a file may read what is on file.
const STAYS_CONFIDED =
  "This content is on file already, and not for everybody who would read it here. Choose the practice alone, or share the file that is there.";

interface Widening {
  theCase: Case | null;
  /** Of a file of no case: the client who may have it. */
  clientId: string | null;
  visibility: Visibility;
  blobId: string;
  /** The clients who let out by this what is in their confidence, or what they had before others joined. */
  consentedBy?: readonly string[];
  /** The file itself, where it is one that is there already. */
  fileId?: string;
  /** Where it was read like this until then: what else was kept since. */
  since?: Date;
}

/**
 * Nobody lets a confidence out by another record of the same content: throws where a client would get by this one what no
 * file shows them, and what somebody else said apart, or what is in the confidence of somebody who is near them, or is to stay in
 * another case or with another client, or among those who had it before this one joined.
 */
export async function assertNotWidened(ownerId: string, { blobId, ...widening }: Widening): Promise<void> {
  const { consentedBy = [], fileId, since = new Date(0) } = widening;
  const readers = readersOf(widening);
  if (readers.length === 0) return;
  const docs = await placesOfContents(ownerId, [blobId]);
  const keeping = docs.filter(({ changedAt }) => changedAt > since);
  const caseOf = await casesOfFiles(ownerId, docs);
  const confiding = (those: FileDoc[]) => new Set(those.flatMap((doc) => confidantsOf(doc, caseOf(doc))));
  const confidants = confiding(keeping);
  const apart = confiding(keeping.filter(({ visibility }) => isCaucus(visibility)));
  for (const clientId of consentedBy) confidants.delete(clientId);
  const shown = docs.filter(({ deletedAt }) => deletedAt === null);
  const have = new Set(shown.flatMap((doc) => clientsShown(doc, caseOf(doc)?.parties ?? [])));
  const fresh = readers.filter((reader) => !have.has(reader));
  if (fresh.length === 0) return;
  if (keeping.some((doc) => doc._id !== fileId && staysElsewhere(doc, widening)))
    throw badField("visibility", STAYS_CONFIDED);
  const sharers = new Set(keeping.flatMap((doc) => clientsSharing(doc, caseOf(doc))));
  const isLetOut = consentedBy.some((clientId) => sharers.has(clientId));
  if (sharers.size > 0 && !isLetOut && fresh.some((reader) => !sharers.has(reader)))
    throw badField("visibility", STAYS_CONFIDED);
  for (const confidant of confidants) {
    const others = fresh.filter((reader) => reader !== confidant);
    if (others.length === 0) continue;
    const near = apart.has(confidant) ? new Set(others) : await clientsNear(ownerId, confidant);
    if (others.some((reader) => near.has(reader))) throw badField("visibility", STAYS_CONFIDED);
  }
}

/** Whoever is in a case with this client, or with one of those: of what it says, they may know whom it is about. */
async function clientsNear(ownerId: string, clientId: string): Promise<Set<string>> {
  const among = async (ids: readonly string[]) => {
    const cases = await casesOfClients(ownerId, [...ids]);
    return new Set(cases.flatMap(({ parties }) => parties.map((party) => party.clientId)));
  };
  return among([...(await among([clientId]))]);
}

/**
 * Whether it is to stay in another case than this one, by its mark or as what its mediators alone read; or with another
 * client, where it is in no case and they do not read it themselves.
 */
function staysElsewhere({ caseId, clientId, mark, visibility }: FileDoc, to: Pick<Widening, "theCase" | "clientId">) {
  const isToStay = staysInCase(mark.privilege) || visibility.scope === "mediator";
  if (caseId !== null) return caseId !== to.theCase?.id && isToStay;
  const isTheirs = to.theCase
    ? to.theCase.parties.some((party) => party.clientId === clientId)
    : to.clientId === clientId;
  return clientId !== null && !isTheirs && (isToStay || visibility.scope !== "shared");
}

const clientsAmong = (parties: Case["parties"], partyIds: readonly string[]): string[] =>
  parties.filter(({ partyId }) => partyIds.includes(partyId)).map(({ clientId }) => clientId);

/** In whose confidence it is; what is kept with a client is in theirs, also what is for their eyes. */
function confidantsOf(doc: FileDoc, theCase: Case | null): string[] {
  const file = toFile(doc);
  if (doc.caseId === null) return doc.clientId === null || file.isOurOwn ? [] : [doc.clientId];
  return clientsAmong(theCase?.parties ?? [], releasersOf(theCase, file));
}

/** Among whom it stays as what was shared before somebody joined. */
const clientsSharing = (doc: FileDoc, theCase: Case | null): string[] =>
  clientsAmong(theCase?.parties ?? [], sharersOf(theCase, toFile(doc)));

function clientsShown(doc: FileDoc, parties: Case["parties"]): string[] {
  const ids = readerIdsOf(doc, parties);
  if (ids === null) return doc.clientId === null ? [] : [doc.clientId];
  return clientsAmong(parties, ids);
}

function readersOf({ theCase, clientId, visibility: { scope, partyIds } }: Omit<Widening, "blobId">): string[] {
  if (!theCase) return scope === "shared" && clientId !== null ? [clientId] : [];
  if (scope !== "shared" && scope !== "party") return [];
  const { parties } = theCase;
  return clientsAmong(parties, scope === "shared" ? parties.map(({ partyId }) => partyId) : partyIds);
}

// The same words whatever is on file, so that they tell nothing of it.
const STAYS_THEIRS =
  "What comes by somebody’s mail is in their confidence, or for those who read it already. Choose them or the practice; others read it once it is released.";

interface Same {
  docs: FileDoc[];
  sides: CaseSides[];
}

/** Every file of this client and of their cases with this content, or, where it came back changed, of the letter. */
async function sameAs(ownerId: string, blobId: string, { clientId, fileIds }: Bringing): Promise<Same> {
  const found = await placesOfContents(ownerId, [blobId]);
  const ofLetter = () => FileModel.find({ ownerId, _id: mongoose.trusted({ $in: [...fileIds] }) }).lean();
  const docs = found.length > 0 ? found : await ofLetter();
  const caseIds = docs.flatMap((doc) => doc.caseId ?? []);
  const sides = (await sidesOfCases(ownerId, { caseIds, clientIds: [], contactIds: [] })).filter(({ parties }) =>
    parties.some((party) => party.clientId === clientId),
  );
  const isInTheirs = (doc: FileDoc) =>
    doc.caseId === null ? doc.clientId === clientId : sides.some(({ caseId }) => caseId === doc.caseId);
  return { docs: docs.filter(isInTheirs), sides };
}

/** What was deleted counts only where nothing else is left of it. */
function standing(docs: FileDoc[]): FileDoc[] {
  const kept = docs.filter(({ deletedAt }) => deletedAt === null);
  return kept.length > 0 ? kept : docs;
}

/** Whether this party had it from here, or the practice has it from them. */
const isTheirs = ({ visibility }: FileDoc, partyId: string): boolean =>
  visibility.scope === "shared" || visibility.partyIds.includes(partyId) || visibility.aboutPartyIds.includes(partyId);

/** The widest readers of what is on file nowhere: those of the case whom the mail names, and all of them decide. */
function limitOf(theCase: Case, { clientId, namedIds }: Bringing, mark: FileMark): Visibility {
  const named = theCase.parties.filter((party) => party.clientId === clientId || namedIds.includes(party.clientId));
  const [one, ...others] = named.map(({ partyId }) => partyId);
  if (one === undefined) throw new Error("the mail is of nobody in this case");
  if (others.length === 0)
    return whyNotHeld(theCase, forParty(one), mark.isFinancial) === null ? forParty(one) : SHARED;
  if (named.length === theCase.parties.length) return SHARED;
  return { scope: "party", partyIds: [one, ...others], aboutPartyIds: [] };
}

/** The readers that are asked for; what the practice alone is to read stays in the confidence it is in. */
function within(limit: Visibility, asked: Visibility): Visibility | null {
  if (isNoWiderCopy(limit, asked)) return asked;
  if (asked.scope === "party" || asked.scope === "shared" || asked.aboutPartyIds.length > 0) return null;
  const confided = { ...asked, aboutPartyIds: [...mustConsent(limit)] };
  return isNoWiderCopy(limit, confided) ? confided : null;
}

/** Of marks that are as strict, that of financial disclosure. */
const strictest = (docs: readonly FileDoc[]): FileMark =>
  docs.reduce<FileMark>((so, { mark }) => {
    if (isWeaker(mark.privilege, so.privilege)) return so;
    return isWeaker(so.privilege, mark.privilege) || mark.isFinancial ? mark : so;
  }, docs[0]?.mark ?? NO_MARK);

interface Leaving extends Same {
  by: Bringing;
  isForCase: boolean;
}

/** What could not be moved out of its case does not leave it by way of a mailbox either. */
async function assertMayLeave(scope: Scope, { docs, sides, by, isForCase }: Leaving): Promise<void> {
  const cases = await findVisibleCases(
    scope,
    sides.map(({ caseId }) => caseId),
  );
  const stays = (doc: FileDoc): boolean => {
    if (doc.caseId === null) return false;
    const mediators = cases.find(({ id }) => id === doc.caseId)?.mediators ?? [];
    const parties = sides.find(({ caseId }) => caseId === doc.caseId)?.parties ?? [];
    const isTheirAlone = (partyId: string) =>
      isForCase && parties.some((party) => party.partyId === partyId && party.clientId === by.clientId);
    return (
      isOfAllParties(doc) ||
      (staysInCase(doc.mark.privilege) && !answersFor(scope, mediators)) ||
      !mustConsent(doc.visibility).every(isTheirAlone)
    );
  };
  if (docs.some(stays)) throw wrongState("This is a file of a case of theirs, so it stays in that one. File it there.");
}
