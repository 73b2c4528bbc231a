import { closeConnections } from "@app/server/features/inbox/connections";
import { fetchEmails } from "@app/server/features/inbox/fetch.service";
import { imapFetchSchema } from "@app/shared/mail-payload";
import hoodiecrow from "hoodiecrow-imap";
import { expect, test } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { aMail } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { startTestApp } from "../support/server/test-app.ts";

test("fetch: from a plain server without extensions, the mails of the inbox come, the newest first", async () => {
  const app = await startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" });
  const mails = ["First", "Second"].map((subject) => ({ raw: aMail({ subject }).replaceAll("\n", "\r\n") }));
  const email = "ines@example.org";
  const server = hoodiecrow({
    plugins: ["ID", "AUTH-PLAIN", "NAMESPACE", "IDLE", "SPECIAL-USE"],
    users: { [email]: { password: "secret" } },
    storage: { INBOX: { messages: mails }, Sent: { "special-use": "\\Sent", messages: [] } },
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, resolve));
  try {
    await connectMailbox("ines", { email, smtpPort: 1, imapPort: port });
    const fetched = await fetchEmails(imapFetchSchema.parse({ userId: "ines" }), async () => undefined);
    expect(fetched.map(({ subject, from }) => [subject, from.address])).toEqual([
      ["Second", "priya@example.org"],
      ["First", "priya@example.org"],
    ]);
  } finally {
    closeConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await app.close();
  }
});
