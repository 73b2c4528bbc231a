import type { ReportError } from "@app/shared/support";
import { MINUTE_MS } from "../../core/clock.ts";
import { keyedHash } from "../../core/crypto.ts";
import type { Logger } from "../../core/logger.ts";
import { takeTry } from "../../core/rate-limit.ts";
import { settings } from "../../core/settings.ts";
import type { Actor } from "../../core/trpc.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { senderAddress } from "../mail/system-mail.service.ts";

const PER_CAUSE = { tries: 1, pauseMs: 5 * MINUTE_MS, longestPauseMs: 5 * MINUTE_MS, memoryMs: 10 * MINUTE_MS };
const ALTOGETHER = { tries: 30, pauseMs: 60 * MINUTE_MS, longestPauseMs: 60 * MINUTE_MS, memoryMs: 60 * MINUTE_MS };
const CAUSE_LENGTH = 200;

/** What a person's page reports. */
export async function reportErrorOf({ actor, log }: { actor: Actor; log: Logger }, report: ReportError) {
  return { isReported: await reportError(report, log, actor.user.userEmail) };
}

/**
 * Mails an error to the support address: at most one mail per cause in five minutes. A report that fails is logged
 * and never reported itself, so that no failure can feed on itself.
 */
export async function reportError(report: ReportError, log: Logger, from = senderAddress()): Promise<boolean> {
  const to = settings().SUPPORT_EMAIL;
  log.error({ component: report.component, reported: report.message }, "error reported");
  if (!to) return false;
  try {
    if (!(await isDue(report))) return false;
    const subject = `Error on component [${report.component}] from ${from}`;
    await queueSystemMail({ ownerId: null, to, subject, text: report.message, hasLink: false }, log);
    return true;
  } catch (error) {
    log.error({ err: error }, "error report could not be stored");
    return false;
  }
}

async function isDue({ component, message }: ReportError): Promise<boolean> {
  const cause = keyedHash(`${component}\n${message.slice(0, CAUSE_LENGTH)}`);
  if (!(await takeTry(`report:${cause}`, PER_CAUSE)).isAllowed) return false;
  return (await takeTry("report", ALTOGETHER)).isAllowed;
}
