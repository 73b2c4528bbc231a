// In whose name a program writes through the gateway calls.
import PostalMime from "postal-mime";
import { beforeEach, expect, test } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { connectProvider } from "../support/mail/mail-mocks.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll, anSmtpForAll } from "../support/mail/mail-for-tests.ts";

let sender: TestPerson;
let box: string;
let count = 0;
const TARGET = "target@bank.example";
const network = aMailNetworkForAll();
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
beforeEach(async () => {
  sender = await aStaffUser(app, practice, { permissions: ["mail.send"] });
  box = `olive${(count += 1)}@example.net`;
});

const userIdOf = async (person: TestPerson) => (await person.api.auth.status.query()).user?.userId ?? "";
const connect = async (person: TestPerson) =>
  connectMailbox(await userIdOf(person), { email: box, smtpPort: smtp.port, imapPort: await freePort() });

interface Sending {
  call?: string;
  to?: { address: string; name?: string }[];
}
async function send(
  person: TestPerson,
  userId: string,
  name: string,
  { call = "imap-send", to = [{ address: TARGET }] }: Sending = {},
) {
  const from = { name, address: box };
  const message = { from, to, cc: [], subject: "A transfer", body: "<p>Hello</p>", attachments: [] };
  const response = await fetch(`${app.url}/functions/${call}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: JSON.stringify({ userId, message: call === "imap-send" ? message : { ...message, name } }),
  });
  return response.status;
}
const lastMail = () => PostalMime.parse(smtp.received.at(-1)?.source ?? "");
const fromOfLast = async () => (await lastMail()).from;

test.each(["Olive Ostler", "Ines Marchbank", "Somebody Else", "olive@example.net"])(
  "S68: the name %s, when somebody writes by the owner's mailbox, is the practice's instead",
  async (name) => {
    await connect(practice);
    expect(await send(sender, practice.ownerId, name)).toBe(200);
    expect(await fromOfLast()).toMatchObject({ name: practice.practiceName, address: box });
  },
);

test("S68: the name of a colleague, when somebody writes by the mailbox that they shared, is the practice's instead", async () => {
  const colleague = await aStaffUser(app, practice, { role: 2 });
  await connect(colleague);
  await colleague.api.mailboxes.share.mutate({ maySend: true, mayRead: false });
  expect(await send(sender, await userIdOf(colleague), "Tom Birch")).toBe(200);
  expect(await fromOfLast()).toMatchObject({ name: practice.practiceName, address: box });
  expect(await send(practice, await userIdOf(colleague), "Tom Birch")).toBe(200);
  expect(await fromOfLast()).toMatchObject({ name: practice.practiceName, address: box });
});

test("S68: the name of the owner, when somebody writes by their account at the provider, is the practice's instead", async () => {
  await connectProvider(practice.ownerId, box);
  expect(await send(sender, practice.ownerId, "Ines Marchbank", { call: "provider-send" })).toBe(200);
  const [asked] = network.asked;
  expect(JSON.parse(asked?.text ?? "")).toMatchObject({ from: { name: practice.practiceName, address: box } });
});

test("S68: the owner's mailbox, when they switched sending for others off, carries nothing of theirs", async () => {
  await connect(practice);
  await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: false });
  const before = smtp.received.length;
  expect(await send(sender, practice.ownerId, "Ines Marchbank")).toBe(403);
  expect(smtp.received).toHaveLength(before);
});

test("S68: one's own name, when one writes by one's own mailbox, stays", async () => {
  await connect(practice);
  expect(await send(practice, practice.ownerId, "Ines at the office")).toBe(200);
  expect(await fromOfLast()).toMatchObject({ name: "Ines at the office", address: box });
});

test.each(["partner@bank.example", "The bank <partner@bank.example>", "partner＠bank.example"])(
  "S68: imap-send: the name %s, which reads as an address, reads as none in one's own mail",
  async (name) => {
    await connect(practice);
    expect(await send(practice, practice.ownerId, name)).toBe(200);
    expect(await fromOfLast()).toMatchObject({ name: name.replace(/[@＠]/u, " "), address: box });
  },
);

test("S68: imap-send: the name of another beside a client's address, then it is the client's own", async () => {
  await connect(practice);
  const { first, second } = await aCase(practice);
  const to = [{ address: first.email, name: second.displayName }];
  expect(await send(practice, practice.ownerId, "Ines", { to })).toBe(200);
  expect((await lastMail()).to).toMatchObject([{ name: first.displayName, address: first.email }]);
});

test.each([
  ["who see assigned clients only", ["mail.send", "clients.read", "assigned_only"]],
  ["who may not read clients", ["mail.send"]],
] as const)("S68: imap-send: by staff %s, then no name stands beside any address", async (_who, rights) => {
  const writer = await aStaffUser(app, practice, { permissions: [...rights] });
  await connect(writer);
  const { first } = await aCase(practice);
  for (const [address, name] of [
    [first.email, "Guess"],
    [first.email, first.displayName],
    [TARGET, "Target"],
  ] as const) {
    expect(await send(writer, await userIdOf(writer), "Tom", { to: [{ address, name }] })).toBe(200);
    expect((await lastMail()).to).toMatchObject([{ name: "", address }]);
  }
});

test.each(["partner@bank.example", "Pia <partner＠bank.example>", "Target"])(
  "S68: imap-send: the name %s, where it is the name of whom it goes to, reads as nobody else's address",
  async (name) => {
    await connect(practice);
    expect(await send(practice, practice.ownerId, "Ines", { to: [{ address: TARGET, name }] })).toBe(200);
    const [to] = (await lastMail()).to ?? [];
    expect(to).toMatchObject({ name: name.replace(/[@＠]/u, " "), address: TARGET });
  },
);
