// What stands behind a document for all: a session of two sides, and that each may read what the others disclosed.
import { roundIndexOf } from "@app/shared/case-rounds";
import type { Case, Party } from "@app/shared/cases";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import type { FinishDocument } from "@app/shared/documents";
import { inWords } from "@app/shared/in-words";
import { ONLY_MEDIATORS_RECORD } from "@app/shared/finances";
import { answersFor } from "@app/shared/team-access";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive, assertInCase } from "../cases/case-days.service.ts";
import { financesForAll } from "../finances/party-figures.service.ts";
import { jointSessions } from "../sessions/session-facts.service.ts";
import { isOfSessions } from "./document-access.ts";
import type { DocumentDoc } from "./documents.model.ts";
import { readersTogether } from "./together.ts";

type Written = Pick<DocumentDoc, "kind" | "addressee">;

/** Throws for a memorandum or a summary for all where nothing was worked out by two sides. */
export async function assertMediated(scope: Scope, theCase: Case, doc: Written): Promise<void> {
  if (doc.addressee.kind !== "joint" || !isOfSessions(doc.kind)) return;
  const { id: caseId, parties, rounds } = theCase;
  const sessions = await jointSessions(scope, { caseId, parties, rounds });
  if (sessions.some((session) => roundIndexOf(rounds, session) === -1)) return;
  const since = sessions.length > 0 ? "recorded since the case was reopened" : "recorded in this case";
  throw wrongState(
    `No session of two sides is ${since}, so there is nothing that they worked out together. Record the session first.`,
  );
}

/** Whose consent is still to be recorded: of those who exchanged their finances it is known already. */
export async function consentsDue(scope: Scope, theCase: Case, { kind, addressee }: Written): Promise<Party[]> {
  if (addressee.kind !== "joint" || !DOCUMENT_RULES[kind].isFinancial) return [];
  const readers = await readersTogether(scope, theCase, kind);
  const { isExchanged } = await financesForAll(scope, theCase, readers);
  return isExchanged ? [] : readers;
}

/** Throws unless each of those whose consent is due gave it, once. */
export async function assertConsents(
  scope: Scope,
  theCase: Case,
  doc: Written,
  consents: FinishDocument["consents"],
): Promise<void> {
  const due = await consentsDue(scope, theCase, doc);
  if (due.length === 0) return;
  if (!answersFor(scope, theCase.mediators)) throw forbidden(ONLY_MEDIATORS_RECORD);
  const isOf = (party: Party) => consents.filter(({ partyId }) => partyId === party.partyId).length === 1;
  if (consents.length !== due.length || !due.every(isOf))
    throw badField(
      "consents",
      `The disclosures are not exchanged in this case. Record them under Finances and exchange them there, or record here that ${inWords(due.map(({ name }) => name))} each consent that the others read this.`,
    );
  for (const { partyId, on } of consents) {
    await assertInCase(scope, theCase, "consents", on);
    const party = due.find((one) => one.partyId === partyId);
    if (party) await assertAlive(scope, party, "consents", on);
  }
}
