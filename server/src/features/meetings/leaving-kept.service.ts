// That a time is kept is told only while it is, and while both may still be asked to come.
import { isRestricted, safeNow } from "@app/shared/clients";
import { waysToReach } from "@app/shared/safe-channels";
import { now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { getClient, visibleAmong } from "../clients/clients.service.ts";
import type { Leaving, Staying } from "../outbox/outbox-delivery.service.ts";
import type { MailContent } from "../outbox/outbox.service.ts";
import { whyNotAsked } from "./asked-to-come.ts";
import { MeetingModel } from "./meetings.model.ts";
import { failed, type LeavingMail, superseded } from "./staying.ts";
import { whyNotByMail } from "./party-mail.service.ts";

const NOT_KEPT = superseded("The time is not kept any more, so nobody needs this.");
const AS_IT_STANDS =
  "A time is kept for both parties, who may not be asked to come as the case stands now. Look at it, and cancel the appointment.";

/** The letter that asks one party to confirm a time, or why it does not leave. */
export async function keptNow(
  { ownerId, caseId, partyId }: LeavingMail,
  content: MailContent,
  meetingId: string,
): Promise<Leaving | Staying> {
  const scope = systemScope(ownerId);
  const meeting = await MeetingModel.findOne({ ownerId, _id: meetingId }).lean();
  const [theCase] = caseId ? await findVisibleCases(scope, [caseId]) : [];
  const party = theCase?.parties.find((one) => one.partyId === partyId);
  if (!theCase || !party || party.leftAt !== null || meeting?.status !== "proposed" || meeting.startsAt <= now())
    return NOT_KEPT;
  if (!(await visibleAmong(scope, [party.clientId])).has(party.clientId)) return NOT_KEPT;
  if (await whyNotAsked(scope, theCase, meeting)) return failed(AS_IT_STANDS);
  const client = await getClient(scope, party.clientId);
  if (isRestricted(safeNow(client))) return failed(`They may not be emailed of this. ${waysToReach(safeNow(client))}`);
  const whyNot = await whyNotByMail(scope, theCase, party, client);
  if (whyNot) return failed(`This was not sent: ${whyNot}`);
  // The address is theirs as things stand now, whosever it was when this was written.
  return { content: { ...content, to: client.email, expected: [] }, answers: [] };
}
