// Somebody whom the practice does not know books a time: that is an enquiry like any other.
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { partsOfName } from "@app/shared/names";
import { namesAsGiven, type SaidOutside } from "../leads/lead-capture.service.ts";

interface Booked {
  visitor: { name: string; email: string; phone: string };
  answers: readonly { label: string; answer: string }[];
}

export const saidOnBooking = ({ visitor: { name, email, phone }, answers }: Booked): SaidOutside => ({
  channel: "booking",
  ...namesAsGiven(partsOfName(name)),
  email,
  phone,
  other: null,
  domain: null,
  reachBy: "",
  reachNote: "",
  summary: answers
    .filter(({ answer }) => answer !== "")
    .map(({ label, answer }) => `${label} ${answer}`)
    .join("\n"),
  attribution: NO_ATTRIBUTION,
  consent: "",
  flags: [],
  answers: null,
});
