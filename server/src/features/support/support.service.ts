import type { ReportError } from "@app/shared/support";
import { HOUR_MS, MINUTE_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import type { Logger } from "../../core/logger.ts";
import { clearAttempts, countAttempt } from "../../core/rate-limit.ts";
import { settings } from "../../core/settings.ts";
import type { Actor, Scope } from "../../core/trpc.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { senderAddress } from "../mail/sender-address.service.ts";
import { findIdentityUser } from "../users/users.service.ts";

const PER_CAUSE = { tries: 1, pauseMs: 5 * MINUTE_MS, longestPauseMs: 5 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };
// Pages may be made to report, so they have counts of their own beside the server's: for a practice, and for all.
const HOURLY = { pauseMs: HOUR_MS, longestPauseMs: HOUR_MS, memoryMs: HOUR_MS };
const OF_SERVER = { ...HOURLY, tries: 30 };
const OF_PRACTICE = { ...HOURLY, tries: 10 };
const OF_PAGES = { ...HOURLY, tries: 100 };
const CAUSE_LENGTH = 200;

/** What a person's page reports. */
export async function reportErrorOf({ actor, log }: { actor: Actor; log: Logger }, report: ReportError) {
  return { isReported: await reportError(report, log, { ...actor.scope, isFromPage: true }) };
}

/** Who had it. */
interface Reporter extends Pick<Scope, "userId" | "ownerId"> {
  isFromPage: boolean;
}

/**
 * Mails an error to the support address: at most one mail per cause in five minutes. A report that fails is logged
 * and never reported itself, so that no failure can feed on itself.
 */
export async function reportError(report: ReportError, log: Logger, by: Reporter | null = null): Promise<boolean> {
  const to = settings().SUPPORT_EMAIL;
  log.error({ component: report.component, reported: report.message }, "error reported");
  if (!to) return false;
  try {
    if (!(await isDue(report, by?.isFromPage ? by.ownerId : null))) return false;
    const user = by && (await findIdentityUser(by.userId));
    const subject = `Error on component [${report.component}] from ${user?.email_address ?? senderAddress()}`;
    const who = user ? `${user.first_name} ${user.last_name}, ${user.email_address}` : "nobody who is signed in";
    const text = `${report.message}\n\nWho had it: ${who}`;
    const way = by ? { byMailboxOf: by.ownerId } : {};
    await queueSystemMail({ ownerId: null, ...way, to, subject, text, hasLink: false }, log);
    return true;
  } catch (error) {
    log.error({ err: error }, "error report could not be stored");
    return false;
  }
}

async function isDue({ component, message }: ReportError, ownerId: string | null): Promise<boolean> {
  const cause = `report:${keyedHash(`${component}\n${message.slice(0, CAUSE_LENGTH)}`)}`;
  if (!(await countAttempt(cause, PER_CAUSE)).isAllowed) return false;
  const isAllowed = await isWithinHour(ownerId);
  // What is not mailed now keeps back nobody else's report of the same.
  if (!isAllowed) await clearAttempts(cause);
  return isAllowed;
}

async function isWithinHour(ownerId: string | null): Promise<boolean> {
  if (ownerId === null) return (await countAttempt("report:server", OF_SERVER)).isAllowed;
  const ofPractice = await countAttempt(`report:of:${ownerId}`, OF_PRACTICE);
  return ofPractice.isAllowed && (await countAttempt("report:pages", OF_PAGES)).isAllowed;
}
