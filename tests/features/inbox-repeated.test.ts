// Reports on mail, and mails with others in them, repeat a letter: of a hidden case they are hidden as well.
import { closeConnections } from "@app/server/features/inbox/connections";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { PERMISSIONS } from "@app/shared/access";
import { newId } from "@app/server/core/ids";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aReport } from "../support/mail/automated-mails.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

describe.skipIf(whyNoDovecot)("somebody who works on one case of a client alone", () => {
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  let box: string;
  let tom: TestPerson;
  let client: { id: string; email: string };
  let written: Record<"hidden" | "toldHidden" | "own" | "toNobody", string>;
  afterAll(closeConnections);

  beforeEach(async () => {
    box = `box.${newId().toLowerCase()}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email: box, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    tom = await aStaffUser(app, practice, { permissions: [...PERMISSIONS] });
    const tomId = (await tom.api.auth.status.query()).user?.userId ?? "";
    const { first, theCase } = await aCase(practice, { staffIds: [tomId] });
    client = first;
    const party = `hidden.${newId().toLowerCase()}@example.org`;
    const { id: otherId } = await practice.api.clients.create.mutate(aClient({ email: party, phones: [] }));
    const { id: caseId } = await practice.api.casework.create.mutate(aCaseInput([first.id, otherId]));
    written = {
      hidden: await aLetter({ clientId: otherId, caseId }),
      toldHidden: await aLetter({ clientId: first.id, caseId }),
      own: await aLetter({ clientId: first.id, caseId: theCase.id }),
      toNobody: await aLetter({ clientId: null, caseId: null }),
    };
  });

  async function aLetter(place: { clientId: string | null; caseId: string | null }): Promise<string> {
    const messageId = `<${newId()}@practice.example.org>`;
    const letter = {
      ownerId: practice.ownerId,
      ...place,
      purpose: "letter" as const,
      messageId,
      state: "sent" as const,
    };
    const made = { dueAt: new Date(), contentEnc: "sealed", createdBy: practice.ownerId, createdAt: new Date() };
    await OutboxModel.create([{ ...letter, ...made }]);
    return messageId;
  }

  const lay = (mails: string[]) => layMails(dovecot, box, mails, {});
  const listed = async (person: TestPerson, clientId = client.id) =>
    (await person.api.inbox.list.query({ clientId })).items.toSorted((a, b) => a.uid - b.uid);
  const aReceipt = (messageId: string) =>
    aMail({
      from: client.email,
      to: box,
      subject: "Read",
      headers: ['Content-Type: multipart/report; report-type=disposition-notification; boundary="r"'],
      text: [
        "--r\nContent-Type: text/plain\n\nIt was read",
        "--r\nContent-Type: message/disposition-notification\n",
        `Final-Recipient: rfc822; ${client.email}\nOriginal-Message-ID: ${messageId}\nDisposition: manual-action/MDN-sent-manually; displayed\n\n--r--`,
      ].join("\n"),
    });
  const withMail = (messageId: string) =>
    aMail({
      from: client.email,
      to: box,
      subject: "Passed on",
      headers: ['Content-Type: multipart/mixed; boundary="r"'],
      text: [
        "--r\nContent-Type: text/plain\n\nSee this",
        `--r\nContent-Type: message/rfc822\n\nMessage-ID: ${messageId}\nSubject: Canary\n\nCANARY\n\n--r--`,
      ].join("\n"),
    });
  const repeating = [
    ["a delivery report", (messageId: string) => aReport({ from: client.email, address: "x@y.example", messageId })],
    ["a receipt", aReceipt],
    ["a mail with a mail in it", withMail],
  ] as const;

  test.each(repeating)(
    "inbox: %s of a letter of a hidden case, whoever wrote it, is neither listed nor opened",
    async (_what, of) => {
      await lay([of(written.hidden), of(written.toldHidden), of(written.own)]);
      const all = await listed(practice);
      expect(all).toHaveLength(3);
      const shown = await listed(tom);
      expect(shown.map(({ uid }) => uid)).toEqual(all.slice(2).map(({ uid }) => uid));
      for (const [at, { folder, uidValidity, uid }] of all.entries()) {
        const refused = await refusal(tom.api.inbox.open.query({ clientId: client.id, folder, uidValidity, uid }));
        expect(refused.code).toBe(at < 2 ? "NOT_FOUND" : "");
      }
    },
  );

  test.each(repeating.slice(0, 2))(
    "inbox: %s of what nobody wrote here, or wrote to no client, is not shown",
    async (_what, of) => {
      await lay([of("<elsewhere@example.net>"), of(written.toNobody)]);
      expect(await listed(practice)).toHaveLength(2);
      expect(await listed(tom)).toEqual([]);
    },
  );

  test.each(["mailer-daemon", "postmaster"])(
    "inbox: the address of a mail program (%s), where somebody makes a client of it, opens none of its mail",
    async (name) => {
      const from = `${name}@mx.example.org`;
      const daemon = await tom.api.clients.create.mutate(aClient({ email: from, phones: [] }));
      await lay([
        aReport({ from, address: "x@y.example", messageId: written.hidden }),
        aMail({ from, to: box, subject: "Hi", text: "Below this line is a copy of the message. CANARY" }),
      ]);
      expect(await tom.api.inbox.list.query({ clientId: daemon.id })).toMatchObject({ state: "no_address", items: [] });
      expect(await listed(practice, daemon.id)).toHaveLength(2);
    },
  );
});
