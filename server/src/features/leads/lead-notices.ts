// What the owner is told by mail when somebody sends a form for enquiries.
import { publicUrl } from "../../core/settings.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { tellOwner } from "./owner-notices.service.ts";
import type { LeadDoc } from "./leads.model.ts";

/** Call it in the transaction that settles the lead, which was stored before. Leads are the owner's alone. */
export async function tellOfForm({ ownerId, channel, createdAt, responseDueAt }: LeadDoc): Promise<void> {
  if (channel !== "form") return;
  const lines = async () => {
    const { dateTime, zone } = await practiceDates(ownerId);
    return [
      "Somebody sent your form for enquiries:",
      "",
      `When: ${dateTime(createdAt)} (${zone(createdAt)})`,
      `Answer by: ${dateTime(responseDueAt)} (${zone(responseDueAt)})`,
      "",
      `What they wrote is in your list of leads: ${publicUrl()}/leads`,
    ];
  };
  await tellOwner(ownerId, { about: "lead", subject: "A new enquiry", lines });
}
