// S69: a letter that answers a mail waits, and that mail turns out to be another side's: it is judged again when it leaves.
import { MINUTE_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { closeConnections } from "@app/server/features/inbox/connections";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { richTextOf } from "@app/shared/rich-text";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { freePort } from "../support/server/free-port.ts";
import { aMail, imapOf, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aCase, aPractice, clientFields } from "../support/server/people.ts";
import { moveTime } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { aLetterTo } from "../support/mail/letters.ts";

const log = createLogger("silent");
const CANARY = "canary-heron-17";

describe.skipIf(whyNoDovecot)("S69: a letter that waits and answers a mail of somebody unknown", () => {
  let box = "";
  let stranger = "";
  let messageId = "";
  let count = 0;
  const smtp = anSmtpForAll();
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  const built = forEachTest(() => aCase(practice));
  // Nobody else delivers here.
  beforeAll(stopJobs);
  beforeEach(async () => {
    count += 1;
    box = `quotes${count}@practice.example.org`;
    stranger = `unknown${count}@example.net`;
    messageId = `<q${count}@example.net>`;
    await connectMailbox(practice.ownerId, {
      email: box,
      smtpPort: smtp.port,
      imapPort: dovecot.port,
      ca: dovecot.ca,
    });
    await layMails(dovecot, box, [aMail({ from: stranger, to: box, messageId, text: CANARY })]);
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(closeConnections);

  type Answer = { inReplyTo?: string; references?: string[]; caseId?: null };

  const aLetter = (answer: Answer) =>
    aLetterTo(built.first.email, {
      clientId: built.first.id,
      caseId: built.theCase.id,
      body: richTextOf(`They write: ${CANARY}`),
      ...answer,
    });

  /** A letter to the first client that is to leave in a while. */
  async function aWaitingLetter(answer: Answer = { inReplyTo: messageId }): Promise<string> {
    const sendAt = new Date(Date.now() + MINUTE_MS).toISOString();
    const { id } = await practice.api.compose.send.mutate({ id: newId(), ...aLetter(answer), sendAt });
    return id;
  }

  async function leave(id: string, afterMs = 2 * MINUTE_MS) {
    moveTime(afterMs);
    await deliverCaseMail(log);
    vi.restoreAllMocks();
    const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
    return { state: doc?.state, reason: doc?.reason };
  }

  async function becomesTheirs() {
    const { version, firstName, lastName } = await practice.api.clients.get.query({ id: built.second.id });
    const client = clientFields({ email: stranger, firstName, lastName, phones: [] });
    await practice.api.clients.update.mutate({ id: built.second.id, version, client });
  }

  async function becomesTheirSolicitors() {
    const { id } = await practice.api.contacts.create.mutate(aContact({ email: stranger }));
    const link = { role: "solicitor" as const, partyId: built.p2.partyId };
    await practice.api.contacts.link.mutate({ id, changeId: newId(), caseId: built.theCase.id, ...link });
  }

  const tasks = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);
  const refused = { state: "failed", reason: expect.stringMatching(/^It answers a message that somebody else wrote/) };

  test.each<[string, () => Promise<void>, () => Answer]>([
    ["becomes the other party", becomesTheirs, () => ({ inReplyTo: messageId })],
    [
      "becomes the other party, and it is only among the references",
      becomesTheirs,
      () => ({ references: [messageId] }),
    ],
    ["becomes the other party's solicitor", becomesTheirSolicitors, () => ({ inReplyTo: messageId })],
    [
      "becomes the other party's solicitor, and the letter is of no case",
      becomesTheirSolicitors,
      () => ({ inReplyTo: messageId, caseId: null }),
    ],
  ])("when that person %s, then it stays, and its writer is told", async (_what, happens, answer) => {
    const id = await aWaitingLetter(answer());
    await happens();
    expect(await leave(id)).toEqual(refused);
    expect(smtp.received).toEqual([]);
    expect(await tasks()).toEqual([expect.stringMatching(/^A message did not leave: It answers a message/)]);
    const { problems } = await practice.api.compose.check.mutate(aLetter(answer()));
    expect(problems).toMatchObject([{ code: "other_party" }]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "is deleted from the mailbox",
      async () => {
        const client = await imapOf(dovecot, box);
        await client.mailboxOpen("INBOX");
        await client.messageDelete("1:*");
        await client.logout();
      },
    ],
    [
      "lies in a mailbox that is connected no more",
      async () => {
        await practice.api.mailboxes.disconnect.mutate();
        const elsewhere = { email: "new@practice.example.org", smtpPort: smtp.port, imapPort: dovecot.port };
        await connectMailbox(practice.ownerId, { ...elsewhere, ca: dovecot.ca });
      },
    ],
  ])("when that mail %s before that, then it stays all the same", async (_what, happens) => {
    const id = await aWaitingLetter();
    await happens();
    await becomesTheirs();
    expect(await leave(id)).toEqual(refused);
    expect(smtp.received).toEqual([]);
  });

  test("when nothing changes, then it leaves with the thread that it answers", async () => {
    expect(await leave(await aWaitingLetter())).toMatchObject({ state: "sent" });
    expect(smtp.received[0]?.source).toContain(`In-Reply-To: ${messageId}`);
  });

  test("when the mailbox does not answer, then it waits and says so, and leaves once it does", async () => {
    const id = await aWaitingLetter();
    await answersAt(await freePort());
    expect(await leave(id)).toEqual({
      state: "queued",
      reason: "The mailbox does not answer, so nobody can tell whose message this answers.",
    });
    await answersAt(dovecot.port);
    expect(await leave(id, 5 * MINUTE_MS)).toMatchObject({ state: "sent" });
  });

  test("when the mailbox never answers, then it stops after four tries, and its writer is told", async () => {
    const id = await aWaitingLetter();
    await answersAt(await freePort());
    for (const minutes of [2, 4, 20]) expect(await leave(id, minutes * MINUTE_MS)).toMatchObject({ state: "queued" });
    expect(await leave(id, 100 * MINUTE_MS)).toMatchObject({ state: "failed" });
    expect(smtp.received).toEqual([]);
    expect(await tasks()).toEqual([expect.stringMatching(/^A message did not leave: The mailbox does not answer/)]);
  });

  async function answersAt(port: number) {
    closeConnections();
    await EmailCredentialsModel.updateOne({ _id: practice.ownerId }, { $set: { "imap.port": port } });
  }
});
