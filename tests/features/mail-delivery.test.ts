import { newId } from "@app/server/core/ids";
import { hold } from "@app/server/core/holding";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import { removeEmailConnection } from "@app/server/features/users/email-connection.service";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { HttpResponse } from "msw";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aCase, aClient, aMeetingInput, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import type { TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll, anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const log = createLogger("silent");

let clientId: string;
const network = aMailNetworkForAll();
const smtp = anSmtpForAll();
const installation = anSmtpForAll({ authOptional: true });
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
// Nobody else delivers here.
beforeAll(stopJobs);
beforeEach(async () => {
  clientId = (await practice.api.clients.create.mutate(aClient())).id;
});
afterEach(async () => {
  await OutboxModel.deleteMany({}).setOptions({ anyOwner: true });
});

/** A mail that waits, written by this person. */
async function aMail(to = "maya@example.org", userId = practice.ownerId): Promise<string> {
  const { id } = await queueMail(
    { ...scopeOf(practice.ownerId), userId },
    {
      purpose: "letter",
      content: sealForNoParty(
        clientId,
        { to, toName: "Maya Ellery", subject: "Your appointment", text: "We meet on Monday.", attachments: [] },
        [],
      ),
    },
  );
  return id;
}

const shown = async (id: string) => {
  const { items } = await practice.api.outbox.list.query({ clientId });
  return items.find((mail) => mail.id === id);
};
const deliver = async (id: string) => {
  await deliverCaseMail(log);
  return shown(id);
};
const email = () => `mail@${practice.email.split("@")[1]}`;
const connect = (userId: string, address = email(), imapPort = 9) =>
  connectMailbox(userId, { email: address, smtpPort: smtp.port, imapPort });
const useInstallation = () =>
  configure({
    ...settings(),
    SYSTEM_SMTP_URL: `smtp://127.0.0.1:${installation.port}`,
    SYSTEM_MAIL_FROM: "office@evenhand.example.org",
  });
const useEmailJs = () => configure({ ...settings(), ...EMAILJS_SETTINGS, EMAILJS_THROTTLE_MS: 0 });
const receivedFrom = (server: TestSmtp, address: string) => server.received.filter(({ from }) => from === address);
/** As a process that died while it was sending this mail leaves it. */
const leave = (id: string) =>
  OutboxModel.updateOne({ _id: id }, { $set: { state: "sending", heldBy: "gone.one" } }).setOptions({ anyOwner: true });

describe("by whom a mail of a case leaves", () => {
  const staffId = async () => {
    const { email: address } = await aStaffUser(app, practice);
    const { items } = await practice.api.staff.list.query();
    return items.find((user) => user.email === address)?.id ?? "";
  };

  test("by the mailbox of whoever wrote it", async () => {
    const writer = await staffId();
    await connect(practice.ownerId);
    await connect(writer, `tom.${email()}`);
    expect(await deliver(await aMail(undefined, writer))).toMatchObject({ state: "sent", method: "IMAP" });
    expect(receivedFrom(smtp, `tom.${email()}`)).toHaveLength(1);
    expect(receivedFrom(smtp, email())).toEqual([]);
  });

  test("by the owner's where the writer has none", async () => {
    const writer = await staffId();
    await connect(practice.ownerId);
    expect(await deliver(await aMail(undefined, writer))).toMatchObject({ state: "sent", method: "IMAP" });
    expect(receivedFrom(smtp, email())).toHaveLength(1);
  });

  test("an invitation names the address it comes from as its organiser, or nobody could answer it", async () => {
    await connect(practice.ownerId);
    const { theCase, first, p1 } = await aCase(practice);
    const partyIds = [p1.partyId];
    await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, { caseId: theCase.id, partyIds, isInvitationSent: true }),
    );
    await deliverCaseMail(log);
    const { source = "" } = smtp.received.find(({ to }) => to.includes(first.email)) ?? {};
    const { attachments, from } = await PostalMime.parse(source, { attachmentEncoding: "utf8" });
    const calendar = attachments.find(({ mimeType }) => mimeType === "text/calendar");
    expect(from?.address).toBe(email());
    const ics = typeof calendar?.content === "string" ? calendar.content : "";
    expect(ics.replace(/\r\n /g, "")).toMatch(new RegExp(`ORGANIZER;[^:]*:mailto:${email()}`));
    expect(calendar?.method).toBe("REQUEST");
  });

  test("by the fallback where nobody has one", async () => {
    useInstallation();
    expect(await deliver(await aMail())).toMatchObject({ state: "sent", method: "fallback", isFallbackUsed: false });
    const [mail] = receivedFrom(installation, "office@evenhand.example.org");
    expect(mail?.source).toContain(practice.practiceName);
  });

  test("not at all where there is no way: it waits, and no try is wasted", async () => {
    const id = await aMail();
    expect(await deliver(id)).toMatchObject({ state: "queued", reason: expect.stringMatching(/^Waiting: /) });
    expect(await OutboxModel.findById(id).setOptions({ anyOwner: true })).toMatchObject({ attempts: 0 });
    await connect(practice.ownerId);
    moveTime(61_000);
    expect(await deliver(id)).toMatchObject({ state: "sent" });
  });
});

describe("what stands on a mail afterwards", () => {
  test("who carried it, and what a person should know", async () => {
    await connect(practice.ownerId);
    expect(await deliver(await aMail())).toMatchObject({
      state: "sent",
      reason: "",
      method: "IMAP",
      isFallbackUsed: false,
      warnings: [expect.stringMatching(/^The mail was sent, but no copy/)],
    });
  });

  test("that the mailbox failed and the fallback carried it", async () => {
    await connect(practice.ownerId);
    useEmailJs();
    expect(await deliver(await aMail("reject@example.org"))).toMatchObject({
      state: "sent",
      method: "EmailJS",
      isFallbackUsed: true,
      warnings: [expect.stringMatching(/^The mailbox did not take the mail: /)],
    });
  });

  test("why it did not leave: at once where another try is of no use, after four tries where it may be", async () => {
    useInstallation();
    expect(await deliver(await aMail("reject@example.org"))).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("550 No such user here"),
    });
    const id = await aMail("grey@example.org");
    for (const minutes of [0, 2, 15, 90]) {
      expect(await shown(id)).toMatchObject({ state: "queued" });
      moveTime(minutes * 60_000);
      await deliverCaseMail(log);
    }
    expect(await shown(id)).toMatchObject({ state: "failed", reason: expect.stringContaining("451 Try again later") });
  });

  test("that nobody can tell whether it left: it is sent again on request only", async () => {
    useEmailJs();
    network.answers.emailJs = () => HttpResponse.error();
    const id = await aMail();
    expect(await deliver(id)).toMatchObject({ state: "uncertain", reason: "Network Error" });
    moveTime(2 * 60 * 60_000);
    await deliverCaseMail(log);
    expect(network.asked).toHaveLength(1);
    network.answers.emailJs = () => new HttpResponse("OK");
    await practice.api.outbox.retry.mutate({ changeId: newId(), id });
    expect(await deliver(id)).toMatchObject({ state: "sent", method: "EmailJS" });
    expect((await refusal(practice.api.outbox.retry.mutate({ changeId: newId(), id }))).message).toContain(
      "this one is sent",
    );
  });
});

describe("a mail whose process died while it was sending", () => {
  test("is sent again under the same Message-ID where a second copy shows by it", async () => {
    useInstallation();
    const id = await aMail("again@example.org");
    expect(await deliver(id)).toMatchObject({ state: "sent" });
    await leave(id);
    expect(await deliver(id)).toMatchObject({ state: "sent" });
    const ids = installation.received
      .filter(({ to }) => to.includes("again@example.org"))
      .map(({ source }) => /^message-id: (.+)$/im.exec(source)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("is not sent again where the service names it by itself: somebody has to say so", async () => {
    useEmailJs();
    const id = await aMail();
    await leave(id);
    expect(await deliver(id)).toMatchObject({
      state: "uncertain",
      reason: expect.stringMatching(/^It is not certain/),
    });
    expect(network.asked).toEqual([]);
  });

  test("is not sent again without a question where it first had to wait for a way", async () => {
    await connect(practice.ownerId);
    const id = await aMail();
    await EmailCredentialsModel.deleteOne({ _id: practice.ownerId });
    await removeEmailConnection(practice.ownerId);
    await leave(id);
    expect(await deliver(id)).toMatchObject({ state: "queued" });
    // Whose Sent folder cannot be read.
    await connect(practice.ownerId);
    moveTime(2 * 60_000);
    expect(await deliver(id)).toMatchObject({ state: "uncertain" });
    expect(receivedFrom(smtp, email())).toEqual([]);
  });

  test("that still lives keeps its mail: no other takes it", async () => {
    useInstallation();
    const id = await aMail("kept@example.org");
    const { by, release } = await hold();
    await OutboxModel.updateOne({ _id: id }, { $set: { state: "sending", heldBy: by } }).setOptions({ anyOwner: true });
    expect(await deliver(id)).toMatchObject({ state: "sending" });
    expect(installation.received.filter(({ to }) => to.includes("kept@example.org"))).toEqual([]);
    release();
    expect(await deliver(id)).toMatchObject({ state: "sent" });
  });

  test("20 rounds at once send each mail once", async () => {
    useInstallation();
    const addresses = Array.from({ length: 12 }, (_, index) => `many${index}@example.org`);
    for (const address of addresses) await aMail(address);
    await Promise.all(Array.from({ length: 20 }, () => deliverCaseMail(log)));
    const got = installation.received.flatMap(({ to }) => to).filter((to) => to.startsWith("many"));
    expect(got.toSorted()).toEqual(addresses.toSorted());
  });

  describe.skipIf(whyNoDovecot)("with a Sent folder", () => {
    let dovecot: Dovecot;
    beforeAll(async () => {
      dovecot = await startDovecot();
    });
    afterAll(() => dovecot.close());

    test("counts as sent where it stands there, and is not submitted a second time", async () => {
      await connect(practice.ownerId, email(), dovecot.port);
      await EmailCredentialsModel.updateOne({ _id: practice.ownerId }, { $set: { ca: dovecot.ca } });
      const id = await aMail();
      expect(await deliver(id)).toMatchObject({ state: "sent", warnings: [] });
      await leave(id);
      expect(await deliver(id)).toMatchObject({ state: "sent", method: "IMAP" });
      expect(receivedFrom(smtp, email())).toHaveLength(1);
    });
  });
});
