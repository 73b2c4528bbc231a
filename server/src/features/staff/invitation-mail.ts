import { ROLE_NAMES } from "@app/shared/access";
import { foldEmail } from "@app/shared/email-address";
import { PRODUCT_NAME } from "@app/shared/product";
import type { InviteStaff } from "@app/shared/users";
import type { Logger } from "../../core/logger.ts";
import type { Actor } from "../../core/trpc.ts";
import { linkless } from "../../core/linkless.ts";
import { calledInAccessMail } from "../mail/display-name.service.ts";
import { sendSystemMail } from "../mail/system-mail-delivery.service.ts";
import { isMailConfigured, storeSystemMail } from "../mail/system-mail.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { INVITATION_DAYS } from "../users/invitations.service.ts";

/**
 * Mails the link, or, where the address has an account, that it cannot be used: its holder is told, and whoever invites
 * is not.
 */
export async function mailInvitation(
  { scope, user }: Actor,
  { email, firstName, role }: InviteStaff,
  { id, link }: { id: string; link: string },
  log: Logger,
): Promise<void> {
  // What cannot leave stands in the inviter's outbox, and so says the same of every address.
  const hasAccount = isMailConfigured() && (await findSignInUser({ email })) !== null;
  const practiceName = calledInAccessMail(user.practiceName, user.userEmail);
  const text = [
    `Hello ${linkless(firstName)},`,
    `${calledInAccessMail(scope.userName, user.userEmail)} invites you to work in ${practiceName} as ${ROLE_NAMES[role].toLowerCase()}.`,
    hasAccount ? HAS_ACCOUNT : `Choose your password here:\n${link}`,
    `${hasAccount ? "" : `The link works once, for ${INVITATION_DAYS} days. `}If you did not expect it, you need not do anything.`,
  ];
  const mail = {
    id,
    ownerId: scope.ownerId,
    to: foldEmail(email),
    subject: `Your account at ${practiceName} (${PRODUCT_NAME})`,
    text: text.join("\n\n"),
    hasLink: true,
    linkMadeBy: scope.userId,
  };
  if (isMailConfigured()) return sendSystemMail(mail, log);
  // Not by the mailbox of whoever has an account: that it left would tell of the account.
  await storeSystemMail(mail, false, log);
}

const HAS_ACCOUNT = `This address has an account at ${PRODUCT_NAME} already, so it cannot join another practice. If you want to accept, answer whoever invites you with another address of yours.`;
