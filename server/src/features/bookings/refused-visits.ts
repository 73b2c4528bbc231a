// Whoever opened a personal link and was refused by a rule of staff is told nothing of it, so a colleague is.
import { isStale } from "../../core/errors.ts";
import { conflict, isForVisitors } from "../../core/visitor-refusals.ts";
import { askStaff } from "./ask-staff.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";

export async function tellingStaff<Result>(link: BookingLinkDoc, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (link.caseId && !isForVisitors(error)) await askAbout(link, link.caseId);
    throw error;
  }
}

/** Somebody who was faster is no rule of staff: nobody is asked about it. */
export async function unlessChanged<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStale(error)) throw error;
    throw conflict("This appointment was moved or changed meanwhile. Load the page again.");
  }
}

const askAbout = ({ ownerId, clientId, mediatorIds, name }: BookingLinkDoc, caseId: string): Promise<void> =>
  askStaff(
    { ownerId, assigneeId: mediatorIds[0] ?? ownerId, caseId, clientId },
    `By the link “${name}” no time could be taken as the case stands. Look at it, and get in touch`,
  );
