// The calls of the gateway, made by somebody who may send mail and see nobody, by a colleague's mailbox, or in answer to
// a mail of somebody else's.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { closeConnections } from "@app/server/features/inbox/connections";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { DEFAULT_SAFE_CONTACT, type SafeContact } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import { SHARED } from "@app/shared/visibility";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { freePort } from "../support/server/free-port.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectProvider } from "../support/mail/mail-mocks.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import {
  aCase,
  aClient,
  aPractice,
  aStaffUser,
  clientFields,
  scopeOf,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll, anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const INES = "ines@practice.example.org";
const network = aMailNetworkForAll();
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

const connect = async () =>
  connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: await freePort() });

interface Call {
  to: string[];
  person?: TestPerson;
  userId?: string;
  from?: string;
  name?: string;
  message?: object;
}

async function call({ to, person = practice, userId, from = INES, name = "imap-send", message = {} }: Call) {
  const sent = {
    from: { address: from },
    to: to.map((address) => ({ address })),
    cc: [],
    subject: "Hello",
    body: "A few words",
    ...message,
  };
  const response = await fetch(`${app.url}/functions/${name}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: JSON.stringify({ userId: userId ?? practice.ownerId, message: sent }),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

const aRestricted = (email: string, safe: Partial<SafeContact>) =>
  practice.api.clients.create.mutate(aClient({ email, safeContact: { ...DEFAULT_SAFE_CONTACT, ...safe } }));

const withheld = (address: string) =>
  `${address} cannot get this message. Take the address out, write separately, or ask the owner of the practice.`;
const idOf = async ({ api }: TestPerson) => (await api.auth.status.query()).user?.userId ?? "";

const BROKEN_CALENDAR = {
  attachments: [
    { mimeType: "text/calendar", name: "a.ics", content: Buffer.from("BEGIN:VCALENDAR\nX").toString("base64") },
  ],
};
const DEEP_LAYOUT = { body: `<div>${"<blockquote>".repeat(40_000)}x</div>` };

describe("whoever may send mail and see nobody", () => {
  let sender: TestPerson;
  beforeEach(async () => {
    await connect();
    await aRestricted("nomail@example.org", { mayEmail: false });
    await aRestricted("rosa@example.org", { codeWord: "harbour" });
    sender = await aStaffUser(app, practice, { permissions: ["mail.send"] });
  });

  test.each<[string, Call, string]>([
    ["whoever gets it may not be emailed", { to: ["nomail@example.org"] }, "nomail@example.org"],
    [
      "two clients would get it",
      { to: ["x@example.org", "nomail@example.org", "rosa@example.org"] },
      "nomail@example.org",
    ],
    [
      "its calendar cannot be made discreet",
      { to: ["rosa@example.org"], message: BROKEN_CALENDAR },
      "rosa@example.org",
    ],
    ["its layout cannot be made discreet", { to: ["rosa@example.org"], message: DEEP_LAYOUT }, "rosa@example.org"],
  ])(
    "S68: imap-send, when %s, then it says the one sentence that says nothing of them",
    async (_why, sent, address) => {
      const { status, answer } = await call({ ...sent, person: sender });
      expect(status).toBe(409);
      const { error } = Object(answer);
      expect(error.split(/(?<=practice\.) /)[0]).toBe(withheld(address));
      expect(error).not.toMatch(/emailed|safe|discreet|neutral|side|client/);
      const told = Object((await call(sent)).answer).error;
      expect(told).toMatch(/may not be emailed|another client|discreetly/);
      expect(smtp.received).toEqual([]);
    },
  );

  test("S68: imap-send, when a client left the address or a case keeps the file, then who sees neither is told the one sentence, and the owner why", async () => {
    const { theCase, first } = built;
    const { version, ...client } = await practice.api.clients.get.query({ id: first.id });
    const { firstName, lastName } = client;
    const moved = clientFields({ firstName, lastName, email: "first@future.example.org" });
    await practice.api.clients.update.mutate({ id: first.id, version, client: moved });
    const place = { clientId: null, caseId: theCase.id, name: "offer.txt", visibility: SHARED };
    await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from("The offer of Wednesday")]), place);
    const content = Buffer.from("The offer of Wednesday").toString("base64");
    const ofCase = { attachments: [{ mimeType: "text/plain", name: "a.txt", content }] };
    const assigned = await aStaffUser(app, practice, { permissions: ["clients.read", "mail.send", "assigned_only"] });
    const theirs = { userId: await idOf(assigned), from: "tom@practice.example.org" };
    await connectMailbox(theirs.userId, { email: theirs.from, smtpPort: smtp.port, imapPort: await freePort() });
    const kept: [Call, RegExp][] = [
      [{ to: [first.email] }, /no longer the address/],
      [{ to: ["court@justice.example.org"], message: ofCase }, /belongs to a case/],
    ];
    for (const [sent, why] of kept) {
      for (const by of [{ person: sender }, { person: assigned, ...theirs }])
        expect(await call({ ...sent, ...by })).toMatchObject({
          status: 409,
          answer: { error: withheld(sent.to[0] ?? "") },
        });
      expect(Object((await call(sent)).answer).error).toMatch(why);
    }
    expect(smtp.received).toEqual([]);
  });

  test("S68: imap-send, when its reader must be reached discreetly, then it leaves so and tells only who may know", async () => {
    const made = expect.stringContaining("made neutral");
    const untold = await call({ to: ["rosa@example.org"], person: sender });
    expect(untold).toMatchObject({ status: 200, answer: { warnings: expect.not.arrayContaining([made]) } });
    const told = await call({ to: ["rosa@example.org"] });
    expect(told).toMatchObject({ status: 200, answer: { warnings: expect.arrayContaining([made]) } });
    for (const { source } of smtp.received) expect(source).not.toContain(practice.practiceName);
    expect(smtp.received).toHaveLength(2);
  });

  test("S68: send-form, when its reader must be reached discreetly, then it tells only who may know", async () => {
    const byForm = async (person: TestPerson) => {
      const body = new FormData();
      body.append("to_email", "rosa@example.org");
      const headers = { origin: app.url, cookie: person.cookies() };
      const response = await fetch(`${app.url}/functions/send-form`, { method: "POST", headers, body });
      return { status: response.status, ...Object(await response.json()) };
    };
    expect(await byForm(sender)).toMatchObject({ status: 409, error: withheld("rosa@example.org") });
    expect(await byForm(practice)).toMatchObject({ status: 409, error: expect.stringContaining("discreetly") });
  });

  test("S68: compose, when whoever writes sees only their own cases, then every stranger is refused alike", async () => {
    const assigned = await aStaffUser(app, practice, {
      permissions: ["clients.read", "clients.write", "mail.send", "assigned_only"],
    });
    const own = await assigned.api.clients.create.mutate(aClient({ email: "nell@example.org" }));
    await practice.api.clients.create.mutate(aClient({ email: "plain@example.org" }));
    // One mailbox, with somebody who may not be emailed.
    await aRestricted("nell+home@example.org", { mayEmail: false });
    const check = async (address: string) => {
      const draft = {
        subject: "Hello",
        body: richTextOf("Hello"),
        fileIds: [],
        meetingId: null,
        inReplyTo: "",
        references: [],
      };
      const to = [{ name: "", address }];
      const found = await assigned.api.compose.check.mutate({ clientId: own.id, caseId: null, to, cc: [], ...draft });
      return JSON.stringify([
        found.problems,
        found.recipients.map(({ role, mayReceive }) => ({ role, mayReceive })),
      ]).replaceAll(address, "ADDRESS");
    };
    const plain = await check("plain@example.org");
    expect(plain).toContain("ADDRESS cannot receive this message.");
    for (const address of ["nomail@example.org", "rosa@example.org"]) expect(await check(address)).toBe(plain);
    expect(await check("nell@example.org")).not.toMatch(/emailed|safe way/);
  });
});

test("S73: imap-send by a colleague's mailbox, when its holder may not read all mail, then it is refused until they may", async () => {
  const permissions = ["mail.send", "mail.read", "clients.read"] as const;
  const holders: [number, TestPerson][] = [
    [403, await aStaffUser(app, practice, { permissions: [...permissions, "assigned_only"] })],
    [403, await aStaffUser(app, practice, { permissions: ["mail.send", "mail.read"] })],
    [200, await aStaffUser(app, practice, { permissions: [...permissions] })],
  ];
  for (const [status, holder] of holders) {
    const userId = await idOf(holder);
    await connectMailbox(userId, { email: holder.email, smtpPort: smtp.port, imapPort: await freePort() });
    await holder.api.mailboxes.share.mutate({ maySend: true, mayRead: false });
    const sent = { userId, from: holder.email };
    expect((await call({ to: [built.first.email], ...sent })).status).toBe(status);
    expect((await call({ to: ["own@example.net"], ...sent, person: holder })).status).toBe(200);
  }
});

describe("an answer to a mail of somebody else's", () => {
  async function aLetterTo({ id: clientId, email }: { id: string; email: string }): Promise<string> {
    const letter = { subject: "Your papers", body: richTextOf("Here"), fileIds: [], meetingId: null, sendAt: null };
    const to = { clientId, caseId: built.theCase.id, to: [{ name: "", address: email }], cc: [] };
    const sent = await practice.api.compose.send.mutate({
      id: newId(),
      ...letter,
      ...to,
      inReplyTo: "",
      references: [],
    });
    return (await OutboxModel.findOne({ _id: sent.id }).setOptions({ anyOwner: true }).lean())?.messageId ?? "";
  }
  const refused = {
    status: 409,
    answer: { error: expect.stringContaining("answers a message that somebody else wrote") },
  };
  const answering = (header: string, id: string) => ({ message: { headers: { [header]: id } } });

  test.each(["In-Reply-To", "References"])(
    "S67: imap-send, when its %s names a letter to the other party, then it is refused, and what is their own leaves",
    async (header) => {
      await connect();
      const { id } = await practice.api.contacts.create.mutate(aContact({ email: "law@example.org" }));
      const side = { caseId: built.theCase.id, role: "solicitor" as const, partyId: built.p1.partyId };
      await practice.api.contacts.link.mutate({ id, changeId: newId(), ...side });
      const toFirst = await aLetterTo(built.first);
      const theirs = answering(header, `${toFirst} ${await aLetterTo(built.second)}`);
      const own = answering(header, toFirst);
      for (const to of [[built.first.email], ["law@example.org"], [built.first.email, "law@example.org"]]) {
        expect(await call({ to, ...theirs })).toMatchObject(refused);
        expect((await call({ to, ...own })).status).toBe(200);
      }
      expect((await call({ to: ["nobody@example.net"], ...own })).status).toBe(200);
    },
  );

  test("S67: provider-send, when it answers a letter to the other party, then it is refused", async () => {
    await connectProvider(practice.ownerId, INES);
    const answered = { ...answering("In-Reply-To", await aLetterTo(built.second)), name: "provider-send" };
    const said = { message: refused.answer.error };
    expect(await call({ to: [built.first.email], ...answered })).toMatchObject({ status: 409, answer: said });
    expect(network.asked).toEqual([]);
  });

  describe.skipIf(whyNoDovecot)("in the mailbox", () => {
    const dovecot = forAllTests(startDovecot);
    afterAll(closeConnections);

    test("S67: imap-send, when it answers a mail that the other party wrote, then it is refused", async () => {
      const email = `${newId().toLowerCase()}@practice.example.org`;
      const place = { smtpPort: smtp.port, imapPort: dovecot.port, ca: dovecot.ca };
      await connectMailbox(practice.ownerId, { email, ...place });
      const from = (address: string, messageId: string) => aMail({ from: address, to: email, messageId });
      await layMails(dovecot, email, [from(built.second.email, "<o@x>"), from(built.first.email, "<p@x>")]);
      const sent = { to: [built.first.email], from: email };
      expect(await call({ ...sent, ...answering("In-Reply-To", "<o@x>") })).toMatchObject(refused);
      expect((await call({ ...sent, ...answering("In-Reply-To", "<p@x>") })).status).toBe(200);
    });

    test("S67: imap-send, when the mailbox does not answer, then it waits for somebody to tell what is answered", async () => {
      await connect();
      const answered = answering("In-Reply-To", "<unknown@x>");
      expect(await call({ to: [built.first.email], ...answered })).toMatchObject({ status: 503 });
      expect(smtp.received).toEqual([]);
    });
  });
});
