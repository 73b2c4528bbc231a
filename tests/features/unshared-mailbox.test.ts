// Whose mail a colleague sees in the owner's mailbox: no address that one of them enters opens it to the others, and no
// other folder or spelling opens a case that is hidden from them.
import { newId } from "@app/server/core/ids";
import { configure, settings } from "@app/server/core/settings";
import { closeConnections } from "@app/server/features/inbox/connections";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { PERMISSIONS } from "@app/shared/access";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, imapOf, layMails } from "../support/mail/imap-mail.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest, forgetAttempts, settingsOfEachTest } from "../support/server/lifetimes.ts";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  aVisitor,
  clientFields,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

describe.skipIf(whyNoDovecot)("the owner's mailbox", () => {
  const dovecot = forAllTests(startDovecot);
  const smtp = anSmtpForAll({ authOptional: true });
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  settingsOfEachTest();
  let box: string;
  let bank: string;
  beforeEach(async () => {
    await forgetAttempts();
    box = `box.${newId().toLowerCase()}@practice.example.org`;
    bank = `bank.${newId().toLowerCase()}@example.net`;
    await connectMailbox(practice.ownerId, { email: box, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
  });
  afterAll(closeConnections);

  const lay = (mails: string[], place: Parameters<typeof layMails>[3] = {}) => layMails(dovecot, box, mails, place);
  const listed = async ({ api }: Pick<TestPerson, "api">, clientId: string) =>
    (await api.inbox.list.query({ clientId })).items;
  const subjects = async (person: Pick<TestPerson, "api">, clientId: string) =>
    (await listed(person, clientId)).map(({ subject }) => subject).toSorted();

  /** Which mails of a client that the owner is shown this person opens, by their subjects. */
  async function opened({ api }: Pick<TestPerson, "api">, clientId: string): Promise<string[]> {
    const found: string[] = [];
    for (const { subject, folder, uidValidity, uid } of await listed(practice, clientId)) {
      const { code } = await refusal(api.inbox.open.query({ clientId, folder, uidValidity, uid }));
      expect(["", "NOT_FOUND"]).toContain(code);
      if (code === "") found.push(subject);
    }
    return found.toSorted();
  }

  /** A letter that left here, with this Message-ID. */
  const wrote = (clientId: string, messageId: string, caseId: string | null = null) =>
    OutboxModel.create([
      {
        ownerId: practice.ownerId,
        clientId,
        caseId,
        purpose: "letter",
        messageId,
        state: "sent",
        dueAt: new Date(),
        contentEnc: "sealed",
        createdBy: practice.ownerId,
        createdAt: new Date(),
      },
    ]);

  const READS = ["mail.read", "clients.read", "clients.write"] as const;
  const aColleague = () => aStaffUser(app, practice, { permissions: [...READS] });
  const anEntered = ({ api }: Pick<TestPerson, "api">, email = bank) =>
    api.clients.create.mutate(aClient({ email, phones: [] }));

  describe("that is not shared", () => {
    let entering: TestPerson;
    let other: TestPerson;
    beforeEach(async () => {
      entering = await aColleague();
      other = await aColleague();
    });

    test("inbox: when a colleague entered the address of somebody who wrote to it, then neither they nor another colleague list or open it, and the owner does", async () => {
      await lay([aMail({ from: bank, to: box, subject: "Your account" })]);
      const { id } = await anEntered(entering);
      for (const person of [entering, other]) {
        expect(await subjects(person, id)).toEqual([]);
        expect(await opened(person, id)).toEqual([]);
        const found = await person.api.inbox.list.query({ clientId: id, search: "account" });
        expect(found.items).toEqual([]);
      }
      expect(await opened(practice, id)).toEqual(["Your account"]);
    });

    test("inbox: when a colleague gave that address to a client of the owner's, then the same", async () => {
      await lay([aMail({ from: bank, to: box, subject: "Your account" })]);
      const { id, version, firstName, lastName } = await anEntered(practice, "maya@example.net");
      const client = clientFields({ firstName, lastName, email: bank, phones: [] });
      await entering.api.clients.update.mutate({ id, version, client });
      for (const person of [entering, other])
        expect([await subjects(person, id), await opened(person, id)]).toEqual([[], []]);
      expect(await subjects(practice, id)).toEqual(["Your account"]);
    });

    test("inbox: when the owner entered the address, then a colleague lists and opens it", async () => {
      await lay([aMail({ from: bank, to: box, subject: "About Tuesday" })]);
      const { id } = await anEntered(practice);
      for (const person of [entering, other])
        expect([await subjects(person, id), await opened(person, id)]).toEqual([["About Tuesday"], ["About Tuesday"]]);
    });

    test("inbox: when a mail answers a letter from here to this client, then colleagues see that one, whoever entered the address", async () => {
      const { id } = await anEntered(entering);
      const letter = `<${newId()}@practice.example.org>`;
      const toAnother = `<${newId()}@practice.example.org>`;
      await wrote(id, letter);
      await wrote((await anEntered(practice, "maya@example.net")).id, toAnother);
      await lay([
        aMail({ from: bank, to: box, subject: "Your account" }),
        aMail({ from: bank, to: box, subject: "Thank you", headers: [`In-Reply-To: ${letter}`] }),
        aMail({ from: bank, to: box, subject: "Of another", headers: [`In-Reply-To: ${toAnother}`] }),
      ]);
      for (const person of [entering, other])
        expect([await subjects(person, id), await opened(person, id)]).toEqual([["Thank you"], ["Thank you"]]);
    });
  });

  describe("that is shared, while a link to a new password of its owner is open", () => {
    let entering: TestPerson;
    let other: TestPerson;
    beforeEach(async () => {
      entering = await aColleague();
      other = await aColleague();
      await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    });

    async function ask(): Promise<void> {
      const own = { SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SYSTEM_MAIL_FROM: "office@example.net" };
      configure({ ...settings(), ...own });
      await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: practice.email });
    }
    const fetched = async (person: TestPerson) => {
      const response = await fetch(`${app.url}/functions/imap-fetch`, {
        method: "POST",
        headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
        body: JSON.stringify({ userId: practice.ownerId }),
      });
      return response.text();
    };

    test("inbox and imap-fetch: when a colleague entered the sender's address, then another colleague is not shown it, and the owner is", async () => {
      const { id } = await anEntered(entering);
      const contact = `carrier.${newId().toLowerCase()}@example.net`;
      await entering.api.contacts.create.mutate(aContact({ email: contact }));
      expect(await subjects(other, id)).toEqual([]);
      await ask();
      await lay(
        [
          aMail({ from: bank, to: box, subject: "Follow this" }),
          aMail({ from: contact, to: box, subject: "Carried along" }),
        ],
        { at: new Date() },
      );
      for (const person of [entering, other]) {
        expect([await subjects(person, id), await opened(person, id)]).toEqual([[], []]);
        expect(await fetched(person)).not.toMatch(/Follow this|Carried along/);
      }
      expect(await subjects(practice, id)).toEqual(["Follow this"]);
    });

    test("inbox and imap-fetch: when the owner entered it, or it answers a letter from here, then a colleague is shown it", async () => {
      const letter = `<${newId()}@practice.example.org>`;
      const { id } = await anEntered(practice);
      const client = await anEntered(entering, `c.${bank}`);
      await wrote(client.id, letter);
      await ask();
      await lay(
        [
          aMail({ from: bank, to: box, subject: "About Tuesday" }),
          aMail({ from: client.email, to: box, subject: "Thank you", headers: [`In-Reply-To: ${letter}`] }),
        ],
        { at: new Date() },
      );
      expect(await subjects(other, id)).toEqual(["About Tuesday"]);
      expect(await subjects(other, client.id)).toEqual(["Thank you"]);
      expect(await fetched(other)).toMatch(/About Tuesday/);
    });
  });

  describe("for somebody who works on one case of a client alone", () => {
    let worker: TestPerson;
    let client: { id: string; email: string };
    let letter: string;
    beforeEach(async () => {
      worker = await aStaffUser(app, practice, { permissions: [...PERMISSIONS] });
      const workerId = (await worker.api.auth.status.query()).user?.userId ?? "";
      const { first } = await aCase(practice, { staffIds: [workerId] });
      client = first;
      const { id } = await anEntered(practice, `hidden.${newId().toLowerCase()}@example.org`);
      const hidden = await practice.api.casework.create.mutate(aCaseInput([first.id, id]));
      letter = `<${newId()}@practice.example.org>`;
      await wrote(first.id, letter, hidden.id);
      const imap = await imapOf(dovecot, box);
      await imap.mailboxCreate("Archive");
      await imap.logout();
    });
    const idHere = () => `<${newId()}@mail.example.net>`;
    const fromClient = (subject: string, answered: string, messageId = idHere()) =>
      aMail({ from: client.email, to: box, subject, messageId, headers: answered ? [`In-Reply-To: ${answered}`] : [] });
    const fromHere = (subject: string, answered: string, messageId = idHere()) =>
      aMail({ from: box, to: client.email, subject, messageId, headers: [`In-Reply-To: ${answered}`] });
    const plainAlone = async (all: number) => {
      expect(await listed(practice, client.id)).toHaveLength(all);
      expect(await subjects(worker, client.id)).toEqual(["Plain"]);
      expect(await opened(worker, client.id)).toEqual(["Plain"]);
    };

    test.each(["Sent", "Archive"])(
      "inbox: when what a mail answers lies in %s and answers a letter of a hidden case, then neither is listed or opened",
      async (folder) => {
        const between = idHere();
        await lay([fromHere("Between", letter, between)], { folder });
        await lay([fromClient("Answer", between), fromClient("Plain", "")]);
        await plainAlone(3);
      },
    );

    test("inbox: when the letter is answered over several steps and folders, by mails that name nobody of the case too, then none is listed or opened", async () => {
      const [one, two, three, four] = [idHere(), idHere(), idHere(), idHere()];
      const toColleague = { from: box, to: "assistant@example.net", messageId: two };
      await lay([fromClient("First", letter, one)], { folder: "Archive" });
      await lay([aMail({ ...toColleague, subject: "Passed on", headers: [`In-Reply-To: ${one}`] })], {
        folder: "Sent",
      });
      await lay([fromHere("Third", two, three)], { folder: "Sent" });
      await lay([fromClient("Fourth", three, four)], { folder: "Archive" });
      await lay([fromClient("Last", four), fromClient("Plain", "")]);
      await plainAlone(5);
    });

    test("inbox: when a Message-ID's domain is written in other letters, then it is the same one", async () => {
      const between = idHere();
      const inCapitals = (id: string) => id.replace(/@.*/, (domain) => domain.toUpperCase());
      await lay([fromClient("Between", inCapitals(letter), between)], { folder: "Archive" });
      await lay([
        fromClient("Direct", inCapitals(letter)),
        fromClient("Answer", inCapitals(between)),
        fromClient("Plain", ""),
      ]);
      await plainAlone(4);
    });
  });
});
