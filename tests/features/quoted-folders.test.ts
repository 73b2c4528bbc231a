// What can be read, and what a mail that answers it is checked against, are the same folders of the same mailboxes.
import { newId } from "@app/server/core/ids";
import { closeConnections } from "@app/server/features/inbox/connections";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aHostileImap } from "../support/mail/hostile-imap.ts";
import { aMail, imapOf, layMails } from "../support/mail/imap-mail.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
afterAll(closeConnections);

interface Holder {
  person: TestPerson;
  userId: string;
  box: string;
}
let count = 0;
let owner: Holder;
let messageId = "";
beforeEach(() => {
  count += 1;
  messageId = `<folder${count}@example.org>`;
  owner = { person: practice, userId: practice.ownerId, box: `owner${count}@practice.example.org` };
});

async function call({ person }: Pick<Holder, "person">, name: string, body: object) {
  const response = await fetch(`${app.url}/functions/${name}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: Object(await response.json()) };
}

const read = (reader: Holder, { userId }: Holder, folder: string) => call(reader, "imap-fetch", { userId, folder });
const subjects = async (reader: Holder, of: Holder, folder: string): Promise<string[]> =>
  Object((await read(reader, of, folder)).answer).emails.map(({ subject }: { subject: string }) => subject);

/** By their own mailbox, to the second party. */
const answer = ({ person, userId, box }: Holder) =>
  call({ person }, "imap-send", {
    userId,
    message: {
      from: { address: box },
      to: [{ address: built.second.email }],
      cc: [],
      subject: "Re: About Tuesday",
      body: "> Can we meet later?",
      headers: { "In-Reply-To": messageId },
    },
  });

const compose = ({ person: { api } }: Holder, references: string[]) => {
  const place = { clientId: built.second.id, caseId: built.theCase.id };
  const letter = aLetterTo(built.second.email, { ...place, references });
  return refusal(api.compose.send.mutate({ id: newId(), ...letter, sendAt: null }));
};

const refused = {
  status: 409,
  answer: { error: expect.stringContaining("answers a message that somebody else wrote") },
};

async function aColleague(firstName: string): Promise<Holder> {
  const permissions = ["mail.send", "mail.read", "clients.read", "clients.write"] as const;
  const person = await aStaffUser(app, practice, { permissions: [...permissions] });
  const userId = (await person.api.auth.status.query()).user?.userId ?? "";
  return { person, userId, box: `${firstName}${count}@practice.example.org` };
}

describe.skipIf(whyNoDovecot)("a mail of the first party", () => {
  const dovecot = forAllTests(startDovecot);
  const connect = ({ userId, box }: Holder) =>
    connectMailbox(userId, { email: box, smtpPort: smtp.port, imapPort: dovecot.port, ca: dovecot.ca });

  async function lay({ box }: Holder, folder = "INBOX") {
    const client = await imapOf(dovecot, box);
    if (folder !== "INBOX") await client.mailboxCreate(folder);
    await client.logout();
    const mail = aMail({ from: built.first.email, to: box, messageId, subject: "Of the first" });
    await layMails(dovecot, box, [mail], { folder });
  }

  test.each(["Clients.Priya", "Trash", "Junk", "Put away"])(
    "S68: in the folder %s, when it can be read there and is answered to the second, then that is refused",
    async (folder) => {
      await connect(owner);
      await lay(owner, folder);
      expect(await subjects(owner, owner, folder)).toEqual(["Of the first"]);
      expect(await answer(owner)).toMatchObject(refused);
      expect((await compose(owner, [messageId])).message).toMatch(/^PARTY_LEAK: /);
      expect((await compose(owner, ["<nowhere@example.org>", messageId])).message).toMatch(/^PARTY_LEAK: /);
      expect(smtp.received).toEqual([]);
    },
  );

  test("S68: in a folder that was made after somebody looked, when it is answered to the second, then that is refused", async () => {
    await connect(owner);
    await lay(owner, "Before");
    expect(await answer(owner)).toMatchObject(refused);
    messageId = `<later${count}@example.org>`;
    await lay(owner, "Later");
    expect(await answer(owner)).toMatchObject(refused);
  });

  test("S68: that comes while somebody writes, when their letter to the second was checked before, then it is refused all the same", async () => {
    await connect(owner);
    const place = { clientId: built.second.id, caseId: built.theCase.id, references: [messageId] };
    const { problems } = await practice.api.compose.check.mutate(aLetterTo(built.second.email, place));
    expect(problems).toEqual([]);
    await lay(owner, "Clients.Priya");
    expect((await compose(owner, [messageId])).message).toMatch(/^PARTY_LEAK: /);
  });

  test("S68: in a mailbox that a colleague shares for reading, when it is answered to the second, then that is refused", async () => {
    const [tom, hugh] = [await aColleague("tom"), await aColleague("hugh")];
    await connect(tom);
    await connect(hugh);
    await lay(tom);
    expect((await read(hugh, tom, "INBOX")).status).toBe(403);
    await tom.person.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    expect(await subjects(hugh, tom, "INBOX")).toEqual(["Of the first"]);
    expect(await answer(hugh)).toMatchObject(refused);
    expect((await compose(hugh, [messageId])).message).toMatch(/^PARTY_LEAK: /);
    expect(smtp.received).toEqual([]);
  });

  test("S68: in the owner's mailbox, when somebody who has one of their own by now answers it to the second, then that is refused", async () => {
    const hugh = await aColleague("hugh");
    await connect(owner);
    await lay(owner, "Clients.Priya");
    await connect(hugh);
    expect(await answer(hugh)).toMatchObject(refused);
    expect((await compose(hugh, [messageId])).message).toMatch(/^PARTY_LEAK: /);
  });

  test("S68: in no mailbox that whoever writes may read, when a mail answers it, then that leaves", async () => {
    const [tom, hugh] = [await aColleague("tom"), await aColleague("hugh")];
    for (const holder of [owner, tom, hugh]) await connect(holder);
    await lay(tom);
    expect(await answer(hugh)).toMatchObject({ status: 200 });
    expect(await answer(owner)).toMatchObject({ status: 200 });
    expect(smtp.received).toHaveLength(2);
  });

  async function deleteAll({ box }: Holder) {
    const client = await imapOf(dovecot, box);
    await client.mailboxOpen("INBOX");
    await client.messageDelete("1:*");
    await client.logout();
  }

  test.each([
    ["by the call of a program", () => subjects(owner, owner, "INBOX")],
    ["on the client's page", () => practice.api.inbox.list.query({ clientId: built.first.id })],
  ])(
    "S68: that was shown %s and deleted since, when it is answered to the second, then that is refused",
    async (_how, show) => {
      await connect(owner);
      await lay(owner);
      await show();
      await deleteAll(owner);
      expect(await subjects(owner, owner, "INBOX")).toEqual([]);
      expect(await answer(owner)).toMatchObject(refused);
      expect((await compose(owner, [messageId.toUpperCase()])).message).toMatch(/^PARTY_LEAK: /);
      expect(smtp.received).toEqual([]);
    },
  );

  test.each([
    ["is to be answered to it", (address: string) => ({ headers: [`Reply-To: ${address}`] })],
    ["sent it for somebody else", (address: string) => ({ headers: [`Sender: ${address}`] })],
    ["is its second author", (address: string) => ({ headers: [], from: `forms@example.net, ${address}` })],
    [
      "stands in copy behind very many others",
      (address: string) => ({
        headers: [`Cc: ${[...Array.from({ length: 110 }, (_, at) => `p${at}@example.net`), address].join(", ")}`],
      }),
    ],
  ])(
    "S68: that was shown and deleted since, when the first %s, then its answer to the second is refused",
    async (_how, of) => {
      await connect(owner);
      const named = {
        from: "forms@example.net",
        to: owner.box,
        messageId,
        subject: "Of a form",
        ...of(built.first.email),
      };
      await layMails(dovecot, owner.box, [aMail(named)]);
      expect(await subjects(owner, owner, "INBOX")).toEqual(["Of a form"]);
      await deleteAll(owner);
      expect(await answer(owner)).toMatchObject(refused);
    },
  );

  test("S68: of which two copies were shown that name different people, when it is answered to one of them, then that is refused", async () => {
    await connect(owner);
    const copy = { to: owner.box, messageId, subject: "Of both" };
    await layMails(dovecot, owner.box, [aMail({ ...copy, from: "forms@example.net" })]);
    await subjects(owner, owner, "INBOX");
    await layMails(dovecot, owner.box, [aMail({ ...copy, from: built.first.email })]);
    await subjects(owner, owner, "INBOX");
    await deleteAll(owner);
    expect(await answer(owner)).toMatchObject(refused);
  });

  test("S68: in a mailbox that a colleague does not share any more, when it was shown before and is answered to the second, then that is refused", async () => {
    const [tom, hugh] = [await aColleague("tom"), await aColleague("hugh")];
    for (const holder of [tom, hugh]) await connect(holder);
    await lay(tom);
    await tom.person.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    expect(await subjects(hugh, tom, "INBOX")).toEqual(["Of the first"]);
    await tom.person.api.mailboxes.share.mutate({ maySend: false, mayRead: false });
    expect(await answer(hugh)).toMatchObject(refused);
  });

  test("S68: in a folder that the mailbox does not name, when somebody asks for it, then it is not read", async () => {
    await connect(owner);
    await lay(owner, "Hidden.Clients");
    const client = await imapOf(dovecot, owner.box);
    await client.mailboxOpen("Hidden.Clients");
    await client.logout();
    expect(await read(owner, owner, "Hidden.Clients")).toMatchObject({
      status: 404,
      answer: { error: 'There is no folder "Hidden.Clients" in this mailbox.' },
    });
  });
});

describe("a folder that cannot be searched", () => {
  afterEach(() => vi.restoreAllMocks());
  const NOTHING = '* ESEARCH (TAG "TAG") UID\r\nTAG OK done\r\n';
  const OPEN = "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\nTAG OK done\r\n";

  /** A server of three folders, which says this of all but the first. */
  async function answered({ opens = OPEN, finds = NOTHING, onOpen = () => {} }) {
    let opened = 0;
    const server = await aHostileImap({
      LIST: (tag, socket) =>
        socket.write(`* LIST () "/" INBOX\r\n* LIST () "/" Clients\r\n* LIST () "/" Others\r\n${tag} OK done\r\n`),
      SELECT(tag, socket) {
        opened += 1;
        if (opened === 2) onOpen();
        socket.write((opened >= 2 ? opens : OPEN).replaceAll("TAG", tag));
      },
      SEARCH: (tag, socket) => socket.write((opened >= 2 ? finds : NOTHING).replaceAll("TAG", tag)),
    });
    await connectMailbox(owner.userId, { email: owner.box, smtpPort: smtp.port, imapPort: server.port });
    try {
      return await answer(owner);
    } finally {
      closeConnections();
      await server.close();
    }
  }
  const waits = {
    status: 503,
    answer: { error: expect.stringContaining("nobody can tell whose message this answers") },
  };

  test("S68: a folder that is in use, when a mail answers one that is found nowhere else, then it waits", async () => {
    expect(await answered({ opens: "TAG NO [INUSE] In use\r\n" })).toMatchObject(waits);
    expect(smtp.received).toEqual([]);
  });

  test("S68: a folder where the server refuses to search, when a mail answers one that is found nowhere else, then it waits", async () => {
    expect(await answered({ finds: "TAG NO Search failed\r\n" })).toMatchObject(waits);
    expect(smtp.received).toEqual([]);
  });

  test("S68: folders that take too long, when a mail answers one that is found nowhere else, then it waits", async () => {
    const now = performance.now.bind(performance);
    const onOpen = () => void vi.spyOn(performance, "now").mockImplementation(() => now() + 11_000);
    expect(await answered({ onOpen })).toMatchObject(waits);
    expect(smtp.received).toEqual([]);
  });

  test.each([
    ["is gone meanwhile", "TAG NO [NONEXISTENT] Gone\r\n"],
    ["nobody can open", "TAG NO No\r\n"],
    ["has nothing of it", OPEN],
  ])(
    "S68: a folder that %s, when a mail answers one that is found nowhere else, then it leaves",
    async (_what, opens) => {
      expect(await answered({ opens })).toMatchObject({ status: 200 });
      expect(smtp.received).toHaveLength(1);
    },
  );
});
