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
import { aPngOf } from "../documents/picture.ts";
import { asOf } from "./random-records.ts";
import type { Secret } from "./random-case.ts";

/** One that is theirs and one for the mediators of each, and one of the first that all were shown, with its paper. */
export async function disclose(scope: Scope, begun: Case, name: string): Promise<Secret[]> {
  const { ownerId } = scope;
  const theCase = await getCase(scope, begun.id);
  const ids = theCase.parties.map(({ partyId }) => partyId);
  const [first = ""] = ids;
  const own = (partyId: string): Visibility => ({ scope: "party", partyIds: [partyId], aboutPartyIds: [] });
  const secrets: Secret[] = [];
  const readersOf = (visibility: Visibility, times: ReturnType<typeof asOf>) =>
    new Set(
      theCase.parties.filter((party) => mayPartyRead({ visibility, ...times }, party)).map((party) => party.partyId),
    );
  // Each of its own content, as content that is on file already keeps its readers.
  const aFile = async (what: string, visibility: Visibility, mark: FileMark): Promise<string> => {
    const canary = `${name}${what}end`.toLowerCase();
    const upload = { name: `${canary}.png`, clientId: null, caseId: theCase.id, visibility, mark };
    const content = Readable.from([Buffer.from(aPngOf(canary))]);
    const { id, createdAt } = await storeFile(scope, content, upload);
    const times = asOf(new Date(createdAt));
    secrets.push({ canary, kind: "file", visibility, readers: readersOf(visibility, times), ...times });
    return id;
  };
  const paperId = await aFile("figurepaper", own(first), { privilege: "open", isFinancial: true });
  // Of what all may read only open disclosure is given to a court.
  await aFile("closed", SHARED, { privilege: "without_prejudice", isFinancial: false });
  await aFile("letter", SHARED, { privilege: "open", isFinancial: false });
  const figures = [
    ...ids.map((partyId): [string, Visibility] => [partyId, own(partyId)]),
    ...ids.map((partyId): [string, Visibility] => [partyId, MEDIATOR_ONLY]),
    [first, SHARED] as [string, Visibility],
  ];
  for (const [index, [partyId, visibility]] of figures.entries()) {
    const times = asOf(new Date());
    const canary = `${name}figure${index}end`.toLowerCase();
    const readers = readersOf(visibility, times);
    secrets.push({ canary, kind: "figure", visibility, readers, shownTo: new Set(), ...times });
    await storeFigure(scope, theCase, { partyId, visibility, canary, at: times.since, paperId });
  }
  const _id = newId();
  const exchange = { at: new Date(), byName: "Ines", consents: [] };
  const none = { parties: [], pairs: [], agreementsEnc: sealAgreements({ ownerId, _id }, []) };
  await FinanceModel.create([
    { _id, ownerId, caseId: theCase.id, currency: "GBP", version: 1, ...none, exchanges: [exchange] },
  ]);
  return secrets;
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
