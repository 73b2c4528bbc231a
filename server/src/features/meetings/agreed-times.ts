// Who had agreed to the time of a meeting, as it is kept there. Pure.
import type { AgreedTime } from "@app/shared/agreed-times";
import { now } from "../../core/clock.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** None are there in those from before it was asked. */
export const agreedTimesOf = ({ agreedTimes }: Pick<MeetingDoc, "agreedTimes">): AgreedTime[] => agreedTimes ?? [];

/** What is confirmed before it begins was agreed with whoever it is for; of several nobody knows with whom. */
export function confirmedWith(doc: MeetingDoc): Pick<MeetingDoc, "agreedTimes"> {
  const [partyId, ...more] = doc.partyIds;
  if (doc.startsAt <= now() || partyId === undefined || more.length > 0) return {};
  const others = agreedTimesOf(doc).filter((one) => one.partyId !== partyId);
  return { agreedTimes: [...others, { partyId, how: "confirmed" }] };
}
