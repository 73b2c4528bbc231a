// Mail laid into a mailbox of the test's Dovecot as if it had arrived there.
import { ImapFlow } from "imapflow";
import { type Dovecot, DOVECOT_PASSWORD } from "./dovecot.ts";

/** A connection of the test's own; log out when done. */
export async function imapOf({ tlsPort, ca }: Dovecot, email: string): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: "127.0.0.1",
    port: tlsPort,
    secure: true,
    tls: { ca },
    auth: { user: email, pass: DOVECOT_PASSWORD },
    logger: false,
  });
  await client.connect();
  return client;
}

interface Laid {
  folder?: string;
  /** When it came; a minute later each, where left out. */
  at?: Date;
}

let count = 0;

/** Lays raw mails into a folder, the first one being the oldest. */
export async function layMails(
  dovecot: Dovecot,
  email: string,
  mails: (string | Buffer)[],
  { folder = "INBOX", at }: Laid = {},
) {
  const client = await imapOf(dovecot, email);
  try {
    for (const mail of mails) {
      count += 1;
      const date = at ?? new Date(Date.UTC(2026, 0, 1, 0, count));
      const bytes = typeof mail === "string" ? Buffer.from(mail.replace(/\r?\n/g, "\r\n")) : mail;
      await client.append(folder, bytes, [], date);
    }
  } finally {
    await client.logout();
  }
}

interface MailFields {
  from?: string;
  to?: string;
  subject?: string;
  text?: string;
  headers?: string[];
  messageId?: string;
}

/** A mail of one part in a part in a part. */
export function aNestedMail({ levels, from }: { levels: number; from: string }): string {
  let body = "Content-Type: text/plain\n\nHello";
  for (let level = 0; level < levels; level += 1)
    body = `Content-Type: multipart/mixed; boundary="b${level}"\n\n--b${level}\n${body}\n--b${level}--\n`;
  const end = body.indexOf("\n\n");
  return aMail({ from, subject: "Many levels", headers: [body.slice(0, end)], text: body.slice(end + 2) });
}

/** A mail of plain text. */
export const aMail = ({
  from = "Priya <priya@example.org>",
  to = "ines@example.org",
  subject = "About Tuesday",
  text = "Can we meet later?",
  headers = [],
  messageId = `<m${(count += 1)}@example.org>`,
}: MailFields = {}): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    "Date: Thu, 01 Jan 2026 00:00:00 +0000",
    "MIME-Version: 1.0",
    ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ["Content-Type: text/plain; charset=utf-8"]),
    ...headers,
    "",
    text,
  ].join("\n");
