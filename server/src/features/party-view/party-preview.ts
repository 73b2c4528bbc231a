// What one party may see of a case, gathered from every feature.
import { can } from "@app/shared/access";
import type { z } from "zod";
import type { PartyPreview, previewSchema } from "@app/shared/party-preview";
import type { Scope } from "../../core/trpc.ts";
import { partyCertificates } from "../certificates/certificates.service.ts";
import { partyFiles } from "../files/party-files.service.ts";
import { caseHistory } from "../timeline/timeline.service.ts";
import { partyMail } from "../outbox/party-mail.service.ts";
import { partyMeetings } from "../meetings/party-meetings.service.ts";
import { partyNotes } from "../notes/party-notes.service.ts";
import { partyProposals } from "../sessions/session-summary.service.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { type ForParty, joinFor, mapFor } from "../visibility/for-party.service.ts";

/** Everything of the case that may ever leave for this party, in the words in which it does; mail only for who may read it. */
export async function previewOf(
  scope: Scope,
  { caseId, partyId }: z.output<typeof previewSchema>,
): Promise<ForParty<PartyPreview>> {
  const theCase = await getCase(scope, caseId);
  const { label, name } = requireParty(theCase, partyId);
  const mayReadMail = can(scope, "mail.read");
  const found = await Promise.all([
    ...(mayReadMail ? [partyMail(scope, theCase, partyId)] : []),
    partyCertificates(scope, theCase, partyId),
    partyFiles(scope, theCase, partyId),
    partyMeetings(scope, theCase, partyId),
    partyNotes(scope, theCase, partyId),
    partyProposals(scope, theCase, partyId),
    caseHistory(scope, theCase, partyId),
  ]);
  return mapFor(joinFor({ theCase, partyId }, found), (items) => ({
    partyId,
    label,
    name,
    caseRef: theCase.caseRef,
    items: items.map(({ visibility: _visibility, since: _since, changedAt: _changedAt, ...item }) => item),
    leftOut: mayReadMail ? [] : ["message" as const],
  }));
}
