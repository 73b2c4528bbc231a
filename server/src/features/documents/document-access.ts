// Who may see and write a document: it is reached through its case, and passes the guard as notes of the same readers do.
import type { Case } from "@app/shared/cases";
import { mayHold, whyNotHeld } from "@app/shared/confidences";
import type { DocumentContent } from "@app/shared/document-content";
import { isOfProposal } from "@app/shared/document-fields";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { DOCUMENT_RULES, isKindOf, isWritten, mayBeMarked } from "@app/shared/document-kinds";
import { fieldsIn } from "@app/shared/document-walk";
import type { Addressee } from "@app/shared/documents";
import type { Privilege } from "@app/shared/privileges";
import { amongThese, caucusOf, forParty, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { badField, forbidden, notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases, requireParty } from "../cases/cases.service.ts";
import { assertVisibilityFits, mayRead, staffReader } from "../visibility/visibility.service.ts";
import { readersTogether } from "./together.ts";
import { type DocumentDoc, DocumentModel } from "./documents.model.ts";

export interface Found {
  doc: DocumentDoc;
  theCase: Case;
}

/** A stored document that this person may read, with its case; to everybody else it looks missing. */
export async function readableDocument(scope: Scope, id: string): Promise<Found> {
  const doc = await DocumentModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Document");
  const [theCase] = await findVisibleCases(scope, [doc.caseId]);
  if (!theCase || !mayRead(staffReader(scope, theCase), doc.visibility)) throw notFound("Document");
  return { doc, theCase };
}

/** Who reads the finished document: exactly those for whom it is. Throws where somebody could not be one of them. */
export async function readersOf(scope: Scope, theCase: Case, { addressee, kind }: ForWhom): Promise<Visibility> {
  const { partyId } = addressee;
  if (partyId) requireParty(theCase, partyId);
  const visibility =
    addressee.kind === "joint"
      ? amongThese(theCase, await readersTogether(scope, theCase, kind))
      : visibilityFor(theCase, addressee.kind, partyId);
  assertVisibilityFits(theCase, visibility);
  const why = whyNotHeld(theCase, visibility);
  if (why) throw badField("addressee", why);
  if (!mayRead(staffReader(scope, theCase), visibility))
    throw forbidden("You could not read this document yourself. Ask a mediator of this case to write it.");
  return visibility;
}

interface ForWhom {
  addressee: Addressee;
  kind: DocumentKind;
}

function visibilityFor(theCase: Case, kind: "party" | "practice", partyId: string | null): Visibility {
  if (kind === "practice") return partyId ? caucusOf(partyId) : PRACTICE_ONLY;
  const own = forParty(partyId ?? "");
  // Where the agreement keeps no confidences it is for their eyes alone, and in nobody's confidence.
  return mayHold(theCase, own) ? own : { ...own, aboutPartyIds: [] };
}

/** Throws where a document of this kind is not written for these, or not marked so. */
export function assertOfKind(
  theCase: Pick<Case, "domain">,
  { kind, addressee, privilege }: { kind: DocumentKind; addressee: Addressee; privilege: Privilege },
): void {
  if (!isKindOf(kind, theCase.domain))
    throw badField("templateId", "Only a family case has a document of this kind. Choose another template.");
  if (!isWritten(kind))
    throw badField("templateId", "A certificate is issued on the page of the case, from what is recorded there.");
  if (!DOCUMENT_RULES[kind].addressees.includes(addressee.kind))
    throw badField("addressee", "A document of this kind is for others. Choose for whom it is.");
  if (!mayBeMarked(kind, privilege))
    throw badField("privilege", "A document of this kind is always marked in another way. Leave the mark as it is.");
}

/** What is worked out together: for all of them, it is of one alone once the others have left. */
const TOGETHER: readonly DocumentKind[] = ["session_summary", "mou"];
export const isOfSessions = (kind: DocumentKind): boolean => TOGETHER.includes(kind);

/** Throws where only one of those for whom it would be takes part. */
export function assertForSeveral({ parties }: Pick<Case, "parties">, { addressee, kind }: ForWhom): void {
  if (addressee.kind !== "joint" || !isOfSessions(kind)) return;
  if (parties.filter(({ leftAt }) => leftAt === null).length < 2)
    throw badField(
      "addressee",
      "Only one participant takes part now, so nothing is written for all of them together. Write it for the practice only.",
    );
}

/** Throws where what was proposed in mediation would stand in a document that a court may read, or anybody. */
export function assertWithoutProposals(content: DocumentContent, privilege: Privilege): void {
  if (privilege === "without_prejudice") return;
  if (fieldsIn(content).some(({ attrs }) => isOfProposal(attrs.path)))
    throw badField(
      "privilege",
      "Proposals stand only in a document that is without prejudice. Take them out, or mark it so.",
    );
}
