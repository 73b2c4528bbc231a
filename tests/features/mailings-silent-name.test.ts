import { newId } from "@app/server/core/ids";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { MailingModel } from "@app/server/features/mailings/mailings.model";
import { richTextOf } from "@app/shared/rich-text";
import { expect, test, vi } from "vitest";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { startNameServer } from "../support/mail/name-server.ts";
import { aPractice } from "../support/server/people.ts";
import { startSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";

const SOON = { timeout: 20_000, interval: 100 };

test(
  "a mailing: when the name of its mail server cannot be looked up for a while, then it waits and goes on by itself",
  { timeout: 60_000 },
  async () => {
    const names = await startNameServer({ known: {}, silent: ".slow.test" });
    const smtp = await startSmtp();
    const app = await startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", DNS_SERVERS: names.place });
    try {
      const { api, ownerId } = await aPractice(app);
      const email = `${ownerId}@example.org`;
      await connectMailbox(ownerId, { email, smtpPort: smtp.port, imapPort: 1, host: "smtp.slow.test" });
      const { id } = await api.mailings.create.mutate({
        id: newId(),
        subject: "Closing days",
        body: richTextOf("We are closed until 4 January."),
        perMinute: 0,
        source: { kind: "csv", csv: "value,label\nada@example.org,Ada" },
      });
      await api.mailings.start.mutate({ changeId: newId(), id });
      const stored = async () => (await MailingModel.findOne({ ownerId, _id: id }).lean()) ?? expect.fail("it is gone");
      await vi.waitFor(async () => expect((await stored()).dueAt.getTime()).toBeGreaterThan(Date.now() + 20_000), SOON);
      expect(names.unanswered).toContain("smtp.slow.test");
      expect((await stored()).state).toBe("sending");
      await EmailCredentialsModel.updateOne({ _id: ownerId }, { $set: { "smtp.host": "127.0.0.1" } });
      await MailingModel.updateOne({ ownerId, _id: id }, { $set: { dueAt: new Date() } });
      await vi.waitFor(async () => expect((await stored()).state).toBe("done"), SOON);
      expect(smtp.received).toHaveLength(1);
    } finally {
      await app.close();
      await Promise.all([smtp.close(), names.close()]);
    }
  },
);
