// Case mail leaves here, above the calendar: the meeting whose entry goes with a mail may have been moved meanwhile.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { stillComes } from "../meetings/meeting-invitations.service.ts";
import { type Delivering, deliverDue } from "../outbox/outbox-delivery.service.ts";

const assertEntryStands: Delivering["assertEntryStands"] = async ({ ownerId, partyId }, { meeting }) => {
  if (!meeting || (partyId && (await stillComes(ownerId, meeting, partyId)))) return;
  throw new Error("The appointment has changed since this was written. Look at the calendar, and write again.");
};

/** Delivers what is due of all practices. */
export const deliverCaseMail = (log: Logger): Promise<void> => deliverDue({ log, assertEntryStands });

// Another round beside one that still runs does no harm: each mail is held by itself.
defineRepeatedJob({
  name: "deliver case mail",
  everyMs: 10 * SECOND_MS,
  takenOverAfterMs: MINUTE_MS,
  run: deliverCaseMail,
});
