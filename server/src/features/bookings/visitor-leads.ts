// Somebody whom the practice does not know books a time: that is an enquiry like any other.
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { partsOfName } from "@app/shared/names";
import { namesAsGiven, type SaidOutside } from "../leads/lead-capture.service.ts";

export interface Booked {
  visitor: { name: string; email: string; phone: string };
  answers: readonly { label: string; answer: string }[];
}

/** As the lead is called, so that the calendar has no other name for them. */
export const shownName = (name: string): string => {
  const { firstName, lastName } = namesAsGiven(partsOfName(name));
  return [firstName, lastName].filter(Boolean).join(" ");
};

export const saidOnBooking = ({ visitor: { name, email, phone }, answers }: Booked): SaidOutside => ({
  channel: "booking",
  ...namesAsGiven(partsOfName(name)),
  email,
  phone,
  other: null,
  domain: null,
  reachBy: "",
  reachNote: "",
  isReachConfided: false,
  summary: answers
    .filter(({ answer }) => answer !== "")
    .map(({ label, answer }) => `${label} ${answer}`)
    .join("\n"),
  attribution: NO_ATTRIBUTION,
  consent: "",
  flags: [],
  answers: null,
});
