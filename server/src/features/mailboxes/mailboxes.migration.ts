import { addLogins } from "../users/email-connection.service.ts";
import { loginsOf } from "./mailbox-access.service.ts";
import { EmailCredentialsModel } from "./mailboxes.model.ts";

/** The names that a mailbox signs in with are its own as its address is. */
export async function loginsOfMailboxes(): Promise<void> {
  const stored = EmailCredentialsModel.find({}, { "imap.secret_enc": 0, "smtp.secret_enc": 0 }).lean();
  for await (const mailbox of stored.cursor())
    await addLogins(mailbox._id, { email: mailbox.email, logins: loginsOf(mailbox) });
}
