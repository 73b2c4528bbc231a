import type { SendDetails } from "@app/shared/mail-payload";
import { sendMail } from "@app/server/features/mail/mail.service";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { ImapFlow } from "imapflow";
import PostalMime from "postal-mime";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { DOVECOT_PASSWORD, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aPayload } from "../support/mail/mail-mocks.ts";
import { anSmtpThatBreaksAt, aTarpit, type OddSmtp } from "../support/mail/odd-smtp.ts";
import { aPractice } from "../support/server/people.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe.skipIf(whyNoDovecot)("a mail by the person's own mailbox", () => {
  let userId: string;
  let email: string;
  let count = 0;
  const dovecot = forAllTests(startDovecot);
  const smtp = anSmtpForAll();
  const secure = forAllTests(() => startSmtp({ key: dovecot.key, cert: dovecot.ca }));
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  beforeEach(async () => {
    userId = (await aPractice(app)).ownerId;
    email = `ines${(count += 1)}@practice.example.org`;
  });

  const connect = (smtpPort = smtp.port, imapPort = dovecot.port) =>
    connectMailbox(userId, { email, smtpPort, imapPort, ca: dovecot.ca });
  const receivedBy = (server: TestSmtp) => server.received.filter(({ from }) => from === email);

  /** What stands in the Sent folder, as bytes. */
  async function sentFolder(): Promise<string[]> {
    const client = new ImapFlow({
      host: "127.0.0.1",
      port: dovecot.tlsPort,
      secure: true,
      tls: { ca: dovecot.ca },
      auth: { user: email, pass: DOVECOT_PASSWORD },
      logger: false,
    });
    await client.connect();
    await client.mailboxOpen("Sent");
    const all = await client.fetchAll("1:*", { source: true });
    await client.logout();
    return all.map(({ source }) => String(source));
  }

  test("is submitted once, and the very bytes that left stand in Sent", async () => {
    await connect();
    const payload = aPayload({
      to_email: "priya@example.org, owen@example.org",
      cc: "tom@example.org",
      subject: "Grüße, Łódź €",
      isHtml: true,
      message: "<p>Dear <b>Priya</b></p>",
      filename: "letter.pdf",
      content: `data:application/pdf;base64,${base64("PDF")}`,
      additionalAttachments: [{ filename: "plan.docx", content: base64("DOCX") }],
    });
    const result = await sendMail({
      userId,
      payload,
      messageId: "<one@practice.example.org>",
      headers: { "In-Reply-To": "<zero@example.org>", "List-Unsubscribe": "<https://practice.example.org/u/1>" },
    });
    expect(result).toEqual({
      success: true,
      method: "IMAP",
      details: { messageId: "<one@practice.example.org>" },
      fallbackUsed: false,
    });
    const [mail, ...others] = receivedBy(smtp);
    expect(others).toEqual([]);
    expect(mail?.to).toEqual(["priya@example.org", "owen@example.org", "tom@example.org"]);
    const parsed = await PostalMime.parse(mail?.source ?? "");
    expect(parsed).toMatchObject({
      subject: "Grüße, Łódź €",
      messageId: "<one@practice.example.org>",
      inReplyTo: "<zero@example.org>",
      from: { address: email, name: expect.stringMatching(/^Quillfeather/) },
      cc: [{ address: "tom@example.org" }],
      html: expect.stringContaining("<b>Priya</b>"),
      text: expect.stringContaining("Dear Priya"),
      attachments: [
        { filename: "letter.pdf", mimeType: "application/pdf" },
        { filename: "plan.docx", mimeType: expect.stringContaining("wordprocessingml") },
      ],
    });
    expect(await sentFolder()).toEqual([mail?.source]);
  });

  test("carries a calendar entry that mail programs answer", async () => {
    await connect();
    const content = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n";
    await sendMail({ userId, payload: aPayload(), calendar: { method: "REQUEST", content } });
    const [mail] = receivedBy(smtp);
    expect(mail?.source).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/i);
  });

  test("is put into Sent once where the server does so by itself, or where a process before this one did", async () => {
    await connect();
    await EmailCredentialsModel.updateOne({ _id: userId }, { $set: { saves_sent: true } });
    const messageId = "<twice@practice.example.org>";
    for (const _time of [1, 2])
      expect(await sendMail({ userId, payload: aPayload(), messageId })).toMatchObject({ success: true });
    expect(await sentFolder()).toHaveLength(1);
  });

  test("counts as sent where only the copy in Sent fails, and says so", async () => {
    await connect(smtp.port, await freePort());
    expect(await sendMail({ userId, payload: aPayload() })).toMatchObject({
      success: true,
      method: "IMAP",
      details: {
        warnings: [expect.stringMatching(/^The mail was sent, but no copy could be put into the Sent folder/)],
      },
      fallbackUsed: false,
    });
    expect(receivedBy(smtp)).toHaveLength(1);
  });

  test("counts as sent where some recipients are refused, and names them", async () => {
    await connect();
    const payload = aPayload({ to_email: "priya@example.org, reject@example.org" });
    expect(await sendMail({ userId, payload })).toMatchObject({
      success: true,
      details: { rejected: ["reject@example.org"] },
      fallbackUsed: false,
    });
  });

  interface Failure {
    name: string;
    given: () => Promise<unknown>;
    to?: string;
    says: string;
    details: SendDetails;
  }
  test.each<Failure>([
    {
      name: "a wrong password",
      given: async () => connect(await wrongPassword()),
      says: "IMAP failed: The mail server did not accept the user name or the password (535 ",
      details: {},
    },
    {
      name: "every recipient refused",
      given: () => connect(),
      to: "reject@example.org",
      says: "IMAP failed: The mail server refused the recipients or the sender (550 No such user here).",
      details: {},
    },
    {
      name: "greylisting",
      given: () => connect(),
      to: "grey@example.org",
      says: "IMAP failed: The mail server refused the recipients or the sender (451 Try again later).",
      details: { isTemporary: true },
    },
    {
      name: "a certificate nobody vouches for",
      given: async () => {
        await connect(secure.port);
        await EmailCredentialsModel.updateOne({ _id: userId }, { $unset: { ca: 1 } });
      },
      says: "IMAP failed: The mail server could not prove who it is",
      details: {},
    },
    {
      name: "nobody who listens",
      given: async () => connect(await freePort()),
      says: "IMAP failed: The mail server could not be reached.",
      details: { isTemporary: true, isUnanswered: true },
    },
    {
      name: "a line that breaks before the mail was handed over",
      given: async () => connect(await portOf(anSmtpThatBreaksAt("MAIL FROM"))),
      says: "IMAP failed: The mail server could not be reached.",
      details: { isTemporary: true, isUnanswered: true },
    },
    {
      name: "a mail refused after it was handed over",
      given: async () => connect(await refusing()),
      says: "IMAP failed: The mail server refused the mail (552 Too large).",
      details: {},
    },
  ])("goes on to the fallback after $name", async ({ given, to = "priya@example.org", says, details }) => {
    await given();
    const result = await sendMail({ userId, payload: aPayload({ to_email: to }) });
    expect(result).toMatchObject({ success: false, method: "fallback", fallbackUsed: true });
    expect(result.error).toContain(says);
    expect(result.error).toContain("EmailJS fallback also failed: The public key is required.");
    expect(result.details).toEqual(details);
  });

  test("that was handed over before the line broke is not sent again by any other way", async () => {
    await connect(await portOf(anSmtpThatBreaksAt(".")));
    const result = await sendMail({ userId, payload: aPayload() });
    expect(result).toMatchObject({
      success: false,
      method: "IMAP",
      error: expect.stringContaining("It may have arrived"),
      details: { isUncertain: true },
      fallbackUsed: false,
    });
  });

  test(
    "waits for a server that answers a byte a second no longer than half a minute",
    { timeout: 60_000 },
    async () => {
      await connect(await portOf(aTarpit()));
      const startedAt = performance.now();
      expect(await sendMail({ userId, payload: aPayload() })).toMatchObject({ success: false });
      expect(performance.now() - startedAt).toBeLessThan(35_000);
    },
  );

  const odd: OddSmtp[] = [];
  afterAll(() => Promise.all(odd.map((server) => server.close())));

  async function portOf(starting: Promise<OddSmtp>): Promise<number> {
    const server = await starting;
    odd.push(server);
    return server.port;
  }

  const wrongPassword = () =>
    portOf(
      startSmtp({
        onAuth: (_auth, _session, done) =>
          done(Object.assign(new Error("Username and password not accepted"), { responseCode: 535 })),
      }),
    );

  const refusing = () =>
    portOf(
      startSmtp({
        onData(stream, _session, done) {
          stream.resume().on("end", () => done(Object.assign(new Error("Too large"), { responseCode: 552 })));
        },
      }),
    );
});
