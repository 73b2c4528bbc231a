// Whoever opened a personal link and was refused by a rule of staff is told nothing of it, so a colleague is.
import { isForVisitors } from "../../core/visitor-refusals.ts";
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

const askAbout = ({ ownerId, clientId, mediatorIds, name }: BookingLinkDoc, caseId: string): Promise<void> =>
  askStaff(
    { ownerId, assigneeId: mediatorIds[0] ?? ownerId, caseId, clientId },
    `By the link “${name}” no time could be taken as the case stands. Look at it, and get in touch`,
  );
