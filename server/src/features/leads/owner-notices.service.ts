// A mail to the owner that somebody outside sent something: it names nobody and says nothing of what was sent, because
// others may read their mailbox.
import { MINUTE_MS } from "../../core/clock.ts";
import { createLogger } from "../../core/logger.ts";
import { type Bucket, takeToken } from "../../core/token-bucket.ts";
import { canLeave } from "../mail/system-mail-senders.service.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { findIdentityUser } from "../users/users.service.ts";

const log = createLogger("warn");

/** Whoever floods a form fills nobody's mailbox: each of it is a task of the owner's besides. */
const PACE: Bucket = { size: 10, everyMs: 6 * MINUTE_MS };

/** Call it in the transaction that stores what it tells of: what cannot leave is tried again, and then stands in the outbox. */
export async function tellOwner(
  ownerId: string,
  { about, subject, lines }: { about: "lead" | "answers"; subject: string; lines: () => Promise<string[]> },
): Promise<void> {
  const owner = await findIdentityUser(ownerId);
  if (owner?.status !== "active") return;
  const way = { ownerId, byMailboxOf: ownerId, to: owner.email_address, isOfForm: about === "lead" };
  // Where nothing can leave, the task alone tells of it.
  if (!(await canLeave(way))) return;
  const { isTaken } = await takeToken(`${about}-notice:${ownerId}`, PACE);
  if (!isTaken) return;
  await queueSystemMail({ ...way, subject, text: (await lines()).join("\n"), hasLink: false }, log);
}
