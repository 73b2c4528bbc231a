// Case mail leaves here, above the calendar: the meeting whose entry goes with a mail may have been moved meanwhile.
import { MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { stillComes } from "../meetings/meeting-invitations.service.ts";
import { type Delivering, deliverDue } from "../outbox/outbox-delivery.service.ts";

const assertEntryStands: Delivering["assertEntryStands"] = async (mail, { meeting }) => {
  const { ownerId, partyId, purpose } = mail;
  if (meeting && !(partyId && (await stillComes(ownerId, meeting, partyId))))
    throw new Error(
      "Since this was written the appointment has changed, or this person has left the case. Look at the calendar, and write to them where they still come.",
    );
  if ((purpose === "invitation" || purpose === "reminder") && !(await isInCase(mail)))
    throw new Error("Since this was written this person has left the case, so they were not asked to come.");
};

/** Who left is told nothing of where the others meet, also by what was written before. */
async function isInCase({ ownerId, caseId, partyId }: Parameters<Delivering["assertEntryStands"]>[0]) {
  const [theCase] = caseId ? await findVisibleCases(systemScope(ownerId), [caseId]) : [];
  return theCase?.parties.some((party) => party.partyId === partyId && party.leftAt === null) ?? false;
}

/** Delivers what is due of all practices. */
export const deliverCaseMail = (log: Logger): Promise<void> => deliverDue({ log, assertEntryStands });

// Another round beside one that still runs does no harm: each mail is held by itself.
defineRepeatedJob({
  name: "deliver case mail",
  everyMs: 10 * SECOND_MS,
  takenOverAfterMs: MINUTE_MS,
  run: deliverCaseMail,
});
