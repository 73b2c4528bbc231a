// What one party may see of a case, gathered from every feature.
import { can } from "@app/shared/access";
import type { z } from "zod";
import { type PartyPreview, type previewSchema, shownOf } from "@app/shared/party-preview";
import { toldReference } from "@app/shared/told-reference";
import type { Scope } from "../../core/trpc.ts";
import { partyAssessments } from "../assessments/party-assessments.service.ts";
import { partyCertificates } from "../certificates/certificates.service.ts";
import { partyInvoices } from "../invoices/party-invoices.service.ts";
import { partyFiles } from "../files/party-files.service.ts";
import { caseHistory } from "../timeline/timeline.service.ts";
import { partyMail } from "../outbox/party-mail.service.ts";
import { partyMeetings } from "../meetings/party-meetings.service.ts";
import { partyNotes } from "../notes/party-notes.service.ts";
import { partyProposals } from "../sessions/session-summary.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { caseNumberPrefix } from "../practices/practices.service.ts";
import { type ForParty, joinFor, mapFor } from "../visibility/for-party.service.ts";

/** Each gives the newest, and one more than is shown where there are more. */
const PARTS = [
  { name: "Messages", of: partyMail, kind: "message", needs: "mail.read" },
  { name: "Certificates", of: partyCertificates },
  { name: "Invoices", of: partyInvoices, kind: "invoice", needs: "payments.read" },
  { name: "Files", of: partyFiles },
  { name: "Meetings", of: partyMeetings },
  { name: "First meetings", of: partyAssessments },
  { name: "Notes", of: partyNotes },
  { name: "Proposals", of: partyProposals },
  { name: "History", of: caseHistory },
] as const;

/** Everything of the case that may ever leave for this party, in the words in which it does; mail and invoices only for who may read them. */
export async function previewOf(
  scope: Scope,
  { caseId, partyId }: z.output<typeof previewSchema>,
): Promise<ForParty<PartyPreview>> {
  const theCase = await getCase(scope, caseId);
  const party = requireParty(theCase, partyId);
  const numberPrefix = await caseNumberPrefix(scope.ownerId);
  const closed = PARTS.flatMap((part) => ("needs" in part && !can(scope, part.needs) ? [part.kind] : []));
  const found = await Promise.all(
    PARTS.filter((part) => !("kind" in part) || !closed.includes(part.kind)).map(async (part) =>
      mapFor(await part.of(scope, theCase, partyId), (items) => [shownOf(part.name, items)]),
    ),
  );
  return mapFor(joinFor({ theCase, partyId }, found), (parts) => ({
    partyId,
    label: party.label,
    name: party.name,
    caseRef: toldReference(theCase, party, numberPrefix),
    items: parts.flatMap(({ items }) =>
      items.map(({ kind, id, title, detail, at }) => ({ kind, id, title, detail, at })),
    ),
    leftOut: closed,
    cut: parts.flatMap(({ cut }) => cut),
  }));
}
