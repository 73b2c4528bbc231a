// Somebody whom the practice does not know books a time: that is an enquiry like any other.
import { LEAD_SUMMARY_MAX_LENGTH, NO_ATTRIBUTION } from "@app/shared/leads";
import { partsOfName } from "@app/shared/names";
import { mediatorTypeSchema } from "@app/shared/users";
import { captureLead, namesAsGiven } from "../leads/lead-capture.service.ts";
import { findIdentityUser } from "../users/users.service.ts";

interface Booked {
  visitor: { name: string; email: string; phone: string };
  answers: readonly { label: string; answer: string }[];
}

/** Call it in the transaction of the booking. */
export async function becomeLead(ownerId: string, { visitor: { name, email, phone }, answers }: Booked): Promise<void> {
  const owner = await findIdentityUser(ownerId);
  const { firstName, lastName } = namesAsGiven(partsOfName(name));
  const said = answers.filter(({ answer }) => answer !== "").map(({ label, answer }) => `${label} ${answer}`);
  await captureLead(ownerId, {
    channel: "booking",
    attribution: NO_ATTRIBUTION,
    consent: "",
    lead: {
      firstName,
      lastName: lastName || "Unnamed",
      email,
      phone,
      dateOfBirth: "",
      organisation: "",
      other: null,
      domain: mediatorTypeSchema.parse(owner?.mediator_type),
      source: "website",
      campaign: "",
      summary: said.join("\n").slice(0, LEAD_SUMMARY_MAX_LENGTH),
      reachBy: "",
      reachNote: "",
      nextStep: "",
      nextOn: "",
    },
  });
}
