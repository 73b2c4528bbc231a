// What whoever booked from outside is told, and is no party of a case, is judged when it leaves too.
import { isRestricted, safeNow } from "@app/shared/clients";
import { isHolding } from "@app/shared/meeting-states";
import { waysToReach } from "@app/shared/safe-channels";
import { now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getClient, visibleAmong } from "../clients/clients.service.ts";
import { isReachedDiscreetly } from "../mail/gate.service.ts";
import type { Leaving, Staying } from "../outbox/outbox-delivery.service.ts";
import type { MailContent } from "../outbox/outbox.service.ts";
import { failed, type LeavingMail, NEWER, OVER, superseded, UNTRUE } from "./staying.ts";
import { findVisitByHash } from "./visits.service.ts";

const AS_PARTY = "The appointment is of a case by now, where they are told of it as a party.";

/** What this notice tells whoever booked, or why it tells them nothing. */
export async function visitNow(
  { ownerId, clientId, purpose }: LeavingMail,
  content: MailContent,
  visit: NonNullable<MailContent["visit"]>,
): Promise<Leaving | Staying> {
  const meeting = await findVisitByHash(ownerId, visit.tokenHash);
  if (!meeting?.booking) return superseded(UNTRUE);
  if (meeting.caseId) return superseded(AS_PARTY);
  if (meeting.booking.sequence > visit.sequence) return superseded(NEWER);
  const isComing = isHolding(meeting.status);
  if (isComing === (purpose === "cancellation")) return superseded(UNTRUE);
  if (isComing && meeting.startsAt <= now()) return failed(OVER);
  if (!clientId) {
    const { discreet } = visit;
    const isDiscreet = discreet !== undefined && (await isReachedDiscreetly(ownerId, content.to));
    return { content: isDiscreet ? { ...content, text: discreet } : content, answers: [] };
  }
  const scope = systemScope(ownerId);
  if (!(await visibleAmong(scope, [clientId])).has(clientId)) return superseded(UNTRUE);
  const client = await getClient(scope, clientId);
  const safe = safeNow(client);
  if (!client.email || isRestricted(safe)) return failed(`They may not be emailed. ${waysToReach(safe)}`);
  // The address is theirs as things stand now, whosever it was when this was written.
  return { content: { ...content, to: client.email, expected: [] }, answers: [] };
}
