// Tells a person by mail what was changed about signing in to their account, so that somebody else's hand is noticed.
import { PRODUCT_NAME } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Context } from "../../core/trpc.ts";
import { linkless } from "../../core/linkless.ts";
import { queueSystemMail } from "../mail/system-mail-delivery.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { emailConnectionOf } from "../users/email-connection.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { describeBrowser } from "./devices.ts";

const CHANGES = {
  password: "Your password was changed",
  twoFactorOn: "A second factor was switched on",
  twoFactorOff: "The second factor was switched off",
} as const;

type Call = Pick<Context, "ip" | "userAgent" | "log">;

/** To the address that the account has at this moment. */
export async function tellOfChange(call: Call, userId: string, change: keyof typeof CHANGES): Promise<void> {
  const user = await findIdentityUser(userId);
  if (!user) return;
  const ownerId = user.owner_id ?? user._id;
  const dates = await practiceDates(ownerId);
  const when = `${dates.dateTime(now())} (${dates.zone(now())})`;
  const whom = user._id === ownerId ? "whoever runs this installation" : "the owner of your practice";
  const text = [
    `Hello ${linkless(user.first_name)},`,
    `${CHANGES[change]} for your ${PRODUCT_NAME} account.`,
    `When: ${when}\nFrom: ${describeBrowser(call.userAgent)}, network address ${call.ip || "unknown"}`,
    change === "password"
      ? "If that was you, you need not do anything, but the address of your calendar for other programs has ended: make a new one if you use it."
      : "If that was you, you need not do anything.",
    `If it was not you, choose a new password at once, which also signs out every device:\n${publicUrl()}/resetpassword`,
    ...(await sentBy(userId)),
    `Then look at the devices and the second factor on your account page, and tell ${whom}, above all if you cannot get in.`,
  ].join("\n\n");
  await queueSystemMail({ ownerId, to: user.email_address, subject: CHANGES[change], text, hasLink: false }, call.log);
}

/** A mailbox that somebody else connected would outlive the new password. */
async function sentBy(userId: string): Promise<string[]> {
  const connection = await emailConnectionOf(userId);
  if (!connection?.connected) return [];
  return [
    `The mailbox ${connection.email} is connected to your account. If it is not yours, disconnect it under Email.`,
  ];
}
