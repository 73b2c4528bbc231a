import type { Context } from "../../core/trpc.ts";
import { unavailableForHeadless } from "../../core/errors.ts";
import { settings } from "../../core/settings.ts";
import { isEmailJsConfigured } from "./senders/emailjs-sender.service.ts";
import { isSystemServerConfigured } from "./senders/system-sender.ts";

/**
 * Before the submission of a public page whose mail would leave by the fallback service: mail waits in a queue before
 * it leaves, so whoever drives the page by a program is refused with 451 here, before anything is stored.
 */
export function refuseHeadless({ isHeadless }: Pick<Context, "isHeadless">): void {
  if (!isSystemServerConfigured()) refuseHeadlessForm({ isHeadless });
}

/** The same of a form whose sending leaves by the fallback service first, whatever other ways there are. */
export function refuseHeadlessForm({ isHeadless }: Pick<Context, "isHeadless">): void {
  if (isHeadless && isEmailJsConfigured() && settings().EMAILJS_BLOCK_HEADLESS) throw unavailableForHeadless();
}
