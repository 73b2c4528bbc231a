// Which files of a case a court may be given: what everybody in it may read, that is open, and that was let out.
import type { Case, Party } from "@app/shared/cases";
import { COURT_PACK_FILES_MAX, COURT_PACK_MAX_BYTES } from "@app/shared/court-packs";
import { standingDisclosures } from "@app/shared/disclosures";
import { inWords } from "@app/shared/in-words";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import type { Scope } from "../../core/trpc.ts";
import { documentsOfFiles, type DocumentOfFile } from "../documents/document-files.service.ts";
import { type CaseFile, filesOfCase } from "../files/open-files.service.ts";
import { lastExchangeAt } from "../finances/last-exchange.service.ts";
import { disclosersOf } from "../finances/party-figures.service.ts";
import { sourcesOfSigned } from "../signatures/signed-files.service.ts";

const NOT_FOR_ALL = "Not everybody who takes part may read it";
const FILES_LOOKED_AT = 500;
const JOINED = new Set(["application/pdf", "image/png", "image/jpeg"]);

export interface ChosenFiles {
  included: CaseFile[];
  /** What is to be known of one that goes, by its id. */
  notes: Map<string, string>;
  leftOut: { file: CaseFile; why: string; isOpen: boolean }[];
}

/** Each file that this person may read: whether it goes, or why it does not. */
export async function chooseFiles(scope: Scope, theCase: Case, partyId: string | null): Promise<ChosenFiles> {
  const [files, documentOf, exchangedAt, disclosing] = await Promise.all([
    filesOfCase(scope, theCase, FILES_LOOKED_AT),
    documentsIn(scope, theCase.id),
    lastExchangeAt(scope, theCase.id),
    disclosersOf(scope, theCase),
  ]);
  const chosen: ChosenFiles = { included: [], notes: new Map(), leftOut: [] };
  let bytes = 0;
  for (const file of files) {
    const document = documentOf(file);
    const isForThese = file.isForAll || isStatementFor(partyId, { file, document, disclosing });
    const closed = isForThese
      ? (whyClosed(file, document, theCase) ?? whyNotNow(document, theCase, exchangedAt))
      : NOT_FOR_ALL;
    const why = closed ?? whyNotJoined(file, { bytes, count: chosen.included.length });
    if (why !== null) chosen.leftOut.push({ file, why, isOpen: closed === null });
    else {
      chosen.included.push(file);
      const note = unapprovedBy(document, disclosing);
      if (note !== "") chosen.notes.set(file.id, note);
      bytes += file.sizeBytes;
    }
  }
  return chosen;
}

/** The document that a file is, also where it is the signed or the released copy of its file. */
async function documentsIn(scope: Scope, caseId: string): Promise<(file: CaseFile) => DocumentOfFile | undefined> {
  const [documents, sources] = await Promise.all([documentsOfFiles(scope, caseId), sourcesOfSigned(scope, caseId)]);
  const from = (id: string): DocumentOfFile | undefined => {
    const source = sources.get(id);
    return documents.get(id) ?? (source === undefined ? undefined : from(source));
  };
  return ({ id, releasedFromId }) => from(id) ?? (releasedFromId === null ? undefined : from(releasedFromId));
}

interface OfDisclosers {
  file: CaseFile;
  document: DocumentOfFile | undefined;
  disclosing: readonly Party[];
}

/** A statement of finances is of those who disclose, and not of whoever mediates about something else; for one of them. */
const isStatementFor = (partyId: string | null, { file, document, disclosing }: OfDisclosers): boolean =>
  document !== undefined &&
  DOCUMENT_RULES[document.kind].isFinancial &&
  disclosing.some((party) => party.partyId === partyId) &&
  disclosing.every((party) => file.readerIds.includes(party.partyId));

/** Of several versions of a statement a court is given the one that holds. */
function whyNotNow(document: DocumentOfFile | undefined, { parties }: Case, exchangedAt: Date | null): string | null {
  if (document?.isSuperseded) return "A newer one took its place";
  const asking = parties.filter(({ partyId }) => saidOf(document, partyId) === "change").map(({ name }) => name);
  if (asking.length > 0)
    return `${inWords(asking)} ${asking.length > 1 ? "ask" : "asks"} for a change of it: write a new one, or record that they approve it`;
  return document && DOCUMENT_RULES[document.kind].isFinancial && exchangedAt !== null && document.savedAt < exchangedAt
    ? "Figures were exchanged after it was written: write a new one"
    : null;
}

const saidOf = (document: DocumentOfFile | undefined, partyId: string) =>
  document?.approvals.find((approval) => approval.partyId === partyId)?.decision;

/** Of a statement of finances, which is given to a court also where not everybody said yet that it is right. */
function unapprovedBy(document: DocumentOfFile | undefined, disclosing: readonly Party[]): string {
  if (!document || !DOCUMENT_RULES[document.kind].isFinancial) return "";
  const silent = disclosing.filter(({ partyId }) => saidOf(document, partyId) !== "approved");
  return silent.length > 0 ? `Not approved yet by ${inWords(silent.map(({ name }) => name))}` : "";
}

/**
 * Why it may not be put before a court; null where it may. What is no financial disclosure takes each participant's
 * consent or an order (FMC Code of Practice, confidentiality).
 */
function whyClosed(file: CaseFile, document: DocumentOfFile | undefined, theCase: Case): string | null {
  if (document?.isRemoved) return "Its document was removed";
  if ([file.mark.privilege, document?.privilege ?? "open"].some((privilege) => privilege !== "open"))
    return "It is not marked as open";
  return file.mark.isFinancial || isLetOut(theCase, file.id)
    ? null
    : "It is no financial disclosure, and neither everybody’s consent nor an order that names the court is recorded for it";
}

const isLetOut = ({ disclosures, ...theCase }: Case, fileId: string): boolean =>
  standingDisclosures({ ...theCase, disclosures }).some(
    ({ fileIds, ground, court = "" }) => ground.kind !== "law" && court !== "" && fileIds.includes(fileId),
  );

function whyNotJoined(
  { mime, sizeBytes }: CaseFile,
  { bytes, count }: { bytes: number; count: number },
): string | null {
  if (!JOINED.has(mime)) return "Only PDFs and pictures can be joined: give it to the court by itself";
  return count >= COURT_PACK_FILES_MAX || bytes + sizeBytes > COURT_PACK_MAX_BYTES
    ? "The pack is full: give it to the court by itself"
    : null;
}
