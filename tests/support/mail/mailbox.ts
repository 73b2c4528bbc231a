// A mailbox connected without the page: for tests of what is done with one.
import { encrypt } from "@app/server/core/crypto";
import { imapPlace, smtpPlace } from "@app/server/features/mailboxes/mailbox-access.service";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { setEmailConnection } from "@app/server/features/users/email-connection.service";
import mongoose from "mongoose";
import { type Dovecot, DOVECOT_PASSWORD } from "./dovecot.ts";
import { SMTP_PASSWORD, type TestSmtp } from "./smtp-server.ts";

interface Place {
  email: string;
  smtpPort: number;
  imapPort: number;
  /** Of the IMAP server, where it offers TLS. */
  ca?: string;
  host?: string;
}

/** Gives this person a mailbox of servers on this machine; the app needs MAIL_ALLOW_PRIVATE_HOSTS for it. */
export async function connectMailbox(
  userId: string,
  { email, smtpPort, imapPort, ca, host = "127.0.0.1" }: Place,
): Promise<void> {
  const server = { host, secure: false, user: email };
  await EmailCredentialsModel.create([
    {
      _id: userId,
      email,
      ...(ca ? { ca } : {}),
      imap: { ...server, port: imapPort, secret_enc: encrypt(DOVECOT_PASSWORD, imapPlace(userId)) },
      smtp: { ...server, port: smtpPort, secret_enc: encrypt(SMTP_PASSWORD, smtpPlace(userId)) },
    },
  ]);
  // Where the test is about the mailbox alone there is nobody yet, and a mailbox without its person is used for nothing.
  const atWork = { $setOnInsert: { status: "active" } };
  await mongoose.connection.collection<{ _id: string }>("users").updateOne({ _id: userId }, atWork, { upsert: true });
  await setEmailConnection(userId, { serviceType: "IMAP", email, logins: [email, email] });
}

/** The two servers of a mailbox on this machine, as the form of a connection would send them. */
export const serversOf = (user: string, dovecot: Pick<Dovecot, "tlsPort">, smtp: Pick<TestSmtp, "port">) => ({
  imap: { host: "localhost", port: dovecot.tlsPort, secure: true, user },
  smtp: { host: "localhost", port: smtp.port, secure: false, user },
});
