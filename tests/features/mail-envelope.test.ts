// What is said to a mail server beside a mail, so that a report on it can be told from one that somebody made up.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { runMailing } from "@app/server/features/mailings/mailing-run";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { envelopeIdOf } from "@app/server/features/mail/senders/envelope-id.service";
import { richTextOf } from "@app/shared/rich-text";
import { afterEach, expect, test, vi } from "vitest";
import type { SMTPServerOptions } from "smtp-server";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { anInvitedMeeting } from "../support/mail/watched-mailbox.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";

const log = createLogger("silent");
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A practice that sends by a server which notes the identifier that each mail was handed over with. */
async function sendingBy(options: SMTPServerOptions) {
  const envelopeIds: string[] = [];
  const smtp = await startSmtp({
    ...options,
    onMailFrom(address, session, done) {
      const args = JSON.stringify([address.args, session.envelope]);
      envelopeIds.push(/"envid":"([^"]*)"/i.exec(args)?.[1] ?? "");
      if (options.onMailFrom) options.onMailFrom(address, session, done);
      else done();
    },
  });
  const app = await startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" });
  ends.push(
    () => app.close(),
    () => smtp.close(),
  );
  const practice = await aPractice(app);
  const email = "ines@practice.example.org";
  await connectMailbox(practice.ownerId, { email, smtpPort: smtp.port, imapPort: 1 });
  return { smtp, practice, envelopeIds };
}

/** A meeting of both parties, whose invitations leave. */
async function bothInvited(practice: TestPractice, smtp: TestSmtp) {
  await anInvitedMeeting(practice);
  await vi.waitFor(
    async () => {
      await deliverCaseMail(log);
      expect(smtp.received).toHaveLength(2);
    },
    { timeout: 20_000, interval: 100 },
  );
}

const messageIdIn = (source: string) => /^message-id: (.*)$/im.exec(source)?.[1]?.trim() ?? "";

test("S78: a letter and a mailing, when the server offers reports, are handed over with an identifier that no recipient reads", async () => {
  const { smtp, practice, envelopeIds } = await sendingBy({ hideDSN: false });
  await anInvitedMeeting(practice);
  const source = { kind: "csv" as const, csv: "value,label\nowen@example.org,Owen" };
  const mailing = { subject: "We move", body: richTextOf("We move."), perMinute: 0, source };
  const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...mailing });
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(
    async () => {
      await deliverCaseMail(log);
      await runMailing(practice.ownerId, id, log);
      expect(smtp.received).toHaveLength(3);
    },
    { timeout: 20_000, interval: 100 },
  );
  const expected = smtp.received.map(({ source: text }) => envelopeIdOf(messageIdIn(text)));
  expect(envelopeIds.toSorted()).toEqual(expected.toSorted());
  expect(new Set(expected).size).toBe(3);
  for (const { source: text } of smtp.received) for (const one of expected) expect(text).not.toContain(one);
});

test("S78: a letter, when the server offers no reports, leaves without an identifier", async () => {
  const { smtp, practice, envelopeIds } = await sendingBy({ hideDSN: true });
  await bothInvited(practice, smtp);
  expect(envelopeIds).toEqual(["", ""]);
});

test("S78: a letter, when the server offers reports and then refuses the identifier, leaves without one, once", async () => {
  const { smtp, practice, envelopeIds } = await sendingBy({
    hideDSN: false,
    onMailFrom(address, session, done) {
      const hasId = JSON.stringify([address.args, session.envelope]).toLowerCase().includes('"envid":"');
      done(hasId ? Object.assign(new Error("Unknown parameter"), { responseCode: 555 }) : null);
    },
  });
  await bothInvited(practice, smtp);
  expect(envelopeIds.filter((id) => id === "")).toHaveLength(2);
});
