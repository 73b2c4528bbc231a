// What each party disclosed of their finances: theirs until it is exchanged, with one word of its own.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { storeFile } from "@app/server/features/files/files.service";
import { FigureModel, FinanceModel, sealAgreements, sealFigure } from "@app/server/features/finances/finances.model";
import type { FileMark } from "@app/shared/files";
import type { Case } from "@app/shared/cases";
import { mayPartyRead, MEDIATOR_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { aPng } from "../documents/picture.ts";
import { asOf } from "./random-records.ts";
import type { Secret } from "./random-case.ts";

/** One that is theirs and one for the mediators of each, and one of the first that all were shown, with its paper. */
export async function disclose(scope: Scope, begun: Case, name: string): Promise<Secret[]> {
  const { ownerId } = scope;
  const theCase = await getCase(scope, begun.id);
  const ids = theCase.parties.map(({ partyId }) => partyId);
  const [first = ""] = ids;
  const own = (partyId: string): Visibility => ({ scope: "party", partyIds: [partyId], aboutPartyIds: [] });
  const paper = `${name}figurepaperend`.toLowerCase();
  // Each of its own content, as content that is on file already keeps its readers.
  const aFile = (word: string, visibility: Visibility, mark: FileMark) => {
    const upload = { name: `${word}.png`, clientId: null, caseId: theCase.id, visibility, mark };
    return storeFile(scope, Readable.from([Buffer.concat([aPng(), Buffer.from(word)])]), upload);
  };
  const { id: paperId } = await aFile(paper, own(first), { privilege: "open", isFinancial: true });
  // Of what all may read only open disclosure is given to a court.
  await aFile(`${name}closed`, SHARED, { privilege: "without_prejudice", isFinancial: false });
  await aFile(`${name}letter`, SHARED, { privilege: "open", isFinancial: false });
  const figures = [
    ...ids.map((partyId): [string, Visibility] => [partyId, own(partyId)]),
    ...ids.map((partyId): [string, Visibility] => [partyId, MEDIATOR_ONLY]),
    [first, SHARED] as [string, Visibility],
  ];
  const secrets: Secret[] = [];
  for (const [index, [partyId, visibility]] of figures.entries()) {
    const times = asOf(new Date());
    const known = theCase.parties.filter((party) => mayPartyRead({ visibility, ...times }, party));
    const canary = `${name}figure${index}end`.toLowerCase();
    const readers = new Set(known.map((party) => party.partyId));
    secrets.push({ canary, kind: "figure", visibility, readers, shownTo: new Set(), ...times });
    await storeFigure(scope, theCase, { partyId, visibility, canary, at: times.since, paperId });
  }
  const _id = newId();
  const exchange = { at: new Date(), byName: "Ines", consents: [] };
  const none = { parties: [], pairs: [], agreementsEnc: sealAgreements({ ownerId, _id }, []) };
  await FinanceModel.create([
    { _id, ownerId, caseId: theCase.id, currency: "GBP", version: 1, ...none, exchanges: [exchange] },
  ]);
  const readers = new Set([first]);
  return [...secrets, { canary: paper, kind: "file", visibility: own(first), readers, ...asOf(new Date()) }];
}

interface Stored {
  partyId: string;
  visibility: Visibility;
  canary: string;
  at: Date;
  paperId: string;
}

async function storeFigure(
  { ownerId }: Scope,
  { id: caseId }: Case,
  { partyId, visibility, canary, at, paperId }: Stored,
): Promise<void> {
  const _id = newId();
  await FigureModel.create([
    {
      _id,
      ownerId,
      caseId,
      partyId,
      category: "other",
      owner: "own",
      asOf: "",
      evidenceFileId: paperId,
      source: { kind: "entered", byName: "Ines", on: "2026-01-05" },
      contentEnc: sealFigure({ ownerId, _id }, { label: canary, amountMinor: 1, earlier: [] }),
      visibility,
      exchangedAt: visibility === SHARED ? at : null,
      createdAt: at,
      savedAt: at,
      savedByName: "Ines",
    },
  ]);
}
