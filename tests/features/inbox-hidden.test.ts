// Mail of a case that is hidden from somebody who works on others: whom it names and how its thread is written tells nobody.
import { closeConnections } from "@app/server/features/inbox/connections";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { recordDirectMail } from "@app/server/features/outbox/outbox-direct";
import { tellSent } from "@app/server/features/outbox/outbox-history";
import { PERMISSIONS } from "@app/shared/access";
import { inTransaction } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  scopeOf,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

describe.skipIf(whyNoDovecot)("somebody who works on one case of a client alone", () => {
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  let box: string;
  let tom: TestPerson;
  let client: { id: string; email: string };
  let hidden: { party: string; solicitor: string; caseId: string };
  afterAll(closeConnections);

  beforeEach(async () => {
    box = `box.${newId().toLowerCase()}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email: box, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    tom = await aStaffUser(app, practice, { permissions: [...PERMISSIONS] });
    const tomId = (await tom.api.auth.status.query()).user?.userId ?? "";
    const { first } = await aCase(practice, { staffIds: [tomId] });
    client = first;
    const party = `hidden.${newId().toLowerCase()}@example.org`;
    const { id: otherId } = await practice.api.clients.create.mutate(aClient({ email: party, phones: [] }));
    const { id: caseId, parties } = await practice.api.casework.create.mutate(aCaseInput([first.id, otherId]));
    const solicitor = `solicitor.${newId().toLowerCase()}@example.org`;
    const contact = await practice.api.contacts.create.mutate(aContact({ email: solicitor }));
    const partyId = parties[0]?.partyId ?? "";
    await practice.api.contacts.link.mutate({ changeId: newId(), id: contact.id, caseId, role: "solicitor", partyId });
    hidden = { party, solicitor, caseId };
  });

  const lay = (mails: string[]) => layMails(dovecot, box, mails, {});
  const subjects = async (person: TestPerson) =>
    (await person.api.inbox.list.query({ clientId: client.id })).items.map(({ subject }) => subject).toSorted();

  test("inbox: when a mail names somebody who is hidden, wherever, then it is neither listed, found nor opened", async () => {
    const { party, solicitor } = hidden;
    const of = (from: string, to: string, headers: string[], subject: string) => aMail({ from, to, headers, subject });
    await lay([
      of(`Hidden <${party}>`, `${box}, ${client.email}`, [], "from the hidden party"),
      of(solicitor, `${box}, ${client.email}`, [], "from the hidden solicitor"),
      of(client.email, box, [`Cc: Hidden <${party.replace("@", "+note@")}>`], "copied to the hidden party"),
      of(client.email, `${box}, ${solicitor.toUpperCase()}`, [], "to the hidden solicitor"),
      of(client.email, box, [`Reply-To: ${party}`], "answered to the hidden party"),
      of(client.email, box, [], "plain"),
    ]);
    expect(await subjects(tom)).toEqual(["plain"]);
    const found = await tom.api.inbox.list.query({ clientId: client.id, search: "hidden" });
    expect(found.items).toEqual([]);
    const all = await practice.api.inbox.list.query({ clientId: client.id });
    expect(all.items).toHaveLength(6);
    for (const { subject, folder, uidValidity, uid } of all.items) {
      if (subject === "plain") continue;
      const opened = tom.api.inbox.open.query({ clientId: client.id, folder, uidValidity, uid });
      expect(await refusal(opened)).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("inbox: when a mail answers a letter of the hidden case, however that is written, then it is neither listed nor opened", async () => {
    const messageId = `<${newId()}@practice.example.org>`;
    await OutboxModel.create([
      {
        ownerId: practice.ownerId,
        clientId: client.id,
        caseId: hidden.caseId,
        purpose: "letter",
        messageId,
        state: "sent",
        dueAt: new Date(),
        contentEnc: "sealed",
        createdBy: practice.ownerId,
        createdAt: new Date(),
      },
    ]);
    const own = `<${newId()}@client.example.org>`;
    const answer = (subject: string, headers: string[], ownId?: string) =>
      aMail({ from: client.email, to: box, subject, headers, ...(ownId ? { messageId: ownId } : {}) });
    await lay([
      answer("direct", [`In-Reply-To: ${messageId}`], own),
      answer("to that answer alone", [`In-Reply-To: ${own}`]),
      answer("without brackets", [`In-Reply-To: ${messageId.slice(1, -1)}`]),
      answer("in a second field", [`References: <a@example.net>`, `References: ${messageId}`]),
      answer("plain", []),
    ]);
    expect(await subjects(tom)).toEqual(["plain"]);
    const all = await practice.api.inbox.list.query({ clientId: client.id });
    expect(all.items).toHaveLength(5);
    for (const { subject, folder, uidValidity, uid } of all.items) {
      if (subject === "plain") continue;
      const opened = tom.api.inbox.open.query({ clientId: client.id, folder, uidValidity, uid });
      expect(await refusal(opened)).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("outbox and history: when a mail of no case went to somebody hidden too, then neither is told", async () => {
    const id = newId();
    const mail = {
      fromName: "Practice",
      to: [client.email],
      toName: "",
      cc: [hidden.solicitor],
      subject: "Canary",
      body: "Canary",
      isHtml: false,
      attachments: [],
      messageId: `<${id}@practice.example.org>`,
      headers: {},
      calendar: null,
    };
    await inTransaction(() => recordDirectMail(scopeOf(practice.ownerId), id, mail));
    const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
    if (!doc) throw new Error("the mail was not recorded");
    await inTransaction(() => tellSent(doc));
    const ofTom = await tom.api.outbox.list.query({ clientId: client.id });
    expect(JSON.stringify(ofTom)).not.toMatch(/Canary|solicitor/);
    expect(await refusal(tom.api.outbox.get.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(JSON.stringify(await tom.api.timeline.list.query({ clientId: client.id }))).not.toContain(hidden.solicitor);
    expect(JSON.stringify(await practice.api.outbox.list.query({ clientId: client.id }))).toContain(hidden.solicitor);
  });
});
