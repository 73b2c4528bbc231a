// What two parties found is told to each of them with their own link, by which they see and cancel it.
import { publicUrl } from "../../core/settings.ts";
import { defineOwnLink } from "../meetings/own-links.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { type BookingPairDoc, BookingPairModel, linksOf } from "./pairs.model.ts";

export const addressFor = (pair: BookingPairDoc, partyId: string): string =>
  `${publicUrl()}/schedule-meeting/${linksOf(pair)[partyId] ?? ""}`;

defineOwnLink(async ({ ownerId, _id: meetingId }, partyId) => {
  const filter = { ownerId, meetingId, isEnded: false, "sides.partyId": partyId };
  const pair = await BookingPairModel.findOne(filter).lean();
  if (!pair || (pair.expiresOn !== "" && pair.expiresOn < (await practiceToday(ownerId)))) return "";
  return addressFor(pair, partyId);
});
