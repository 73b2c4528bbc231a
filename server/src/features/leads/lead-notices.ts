// What the owner is told by mail when somebody sends a form for enquiries.
import { MINUTE_MS } from "../../core/clock.ts";
import { createLogger } from "../../core/logger.ts";
import { publicUrl } from "../../core/settings.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import { canLeave } from "../mail/system-mail-senders.service.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import type { LeadDoc } from "./leads.model.ts";

const log = createLogger("warn");

/** Whoever floods a form fills nobody's mailbox: each enquiry is a task of the owner's besides. */
const PACE: Bucket = { size: 10, everyMs: 6 * MINUTE_MS };

/**
 * Call it in the transaction that settles the lead, which was stored before: what cannot leave is tried again, and then
 * stands in the outbox. It names nobody, because leads are the owner's alone and others may read their mailbox.
 */
export async function tellOfForm({ ownerId, channel, createdAt, responseDueAt }: LeadDoc): Promise<void> {
  if (channel !== "form") return;
  const owner = await findIdentityUser(ownerId);
  if (owner?.status !== "active") return;
  const way = { ownerId, byMailboxOf: ownerId, to: owner.email_address, isOfForm: true };
  // Where nothing can leave, the task alone tells of it.
  if (!(await canLeave(way))) return;
  const { isTaken } = await takeToken(`lead-notice:${ownerId}`, PACE);
  if (!isTaken) return;
  const { dateTime, zone } = await practiceDates(ownerId);
  const text = [
    "Somebody sent your form for enquiries:",
    "",
    `When: ${dateTime(createdAt)} (${zone(createdAt)})`,
    `Answer by: ${dateTime(responseDueAt)} (${zone(responseDueAt)})`,
    "",
    `What they wrote is in your list of leads: ${publicUrl()}/leads`,
  ].join("\n");
  await queueSystemMail({ ...way, subject: "A new enquiry", text, hasLink: false }, log);
}
