// What leaves by the installation's own sender, from which mail about access comes: it says whose it is.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import PostalMime, { type Email } from "postal-mime";
import { afterEach, expect, test, vi } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import {
  aCase,
  aClient,
  aMeetingInput,
  aPractice,
  aStaffUser,
  aVisitor,
  type TestPerson,
  type TestPractice,
} from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll, installationMail } from "../support/mail/mail-for-tests.ts";
import { aLetterTo } from "../support/mail/letters.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;
const SYSTEM = "system@evenhand.test";

const smtp = anSmtpForAll({ authOptional: true });
const app = forAllTests(() =>
  startTestApp({
    ...installationMail(smtp),
    SYSTEM_MAIL_FROM: SYSTEM,
  }),
);
const practice = forEachTest(() => aPractice(app));
afterEach(() => vi.restoreAllMocks());

const stored = (name: string) => mongoose.connection.collection<{ _id: string; mailingId?: string }>(name);

const mailTo = (address: string): Promise<Email> =>
  vi.waitFor(
    () => {
      const mail = smtp.received.find(({ to }) => to.includes(address));
      if (!mail) throw new Error(`nothing came to ${address}`);
      return PostalMime.parse(mail.source, { attachmentEncoding: "utf8" });
    },
    { timeout: 15_000, interval: 50 },
  );

async function rename(person: Pick<TestPractice, "api">, practiceName: string): Promise<void> {
  const { currency: _currency, ...kept } = await person.api.practices.get.query();
  await person.api.practices.update.mutate({ ...kept, practiceName });
}

const aDiscreetClient = (email: string) =>
  practice.api.clients.create.mutate(aClient({ email, safeContact: { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" } }));

/** Writes to this client, and gives the letter as it came. */
async function letter(person: TestPerson, { id: clientId, email }: { id: string; email: string }, subject = "Papers") {
  await person.api.compose.send.mutate({ id: newId(), ...aLetterTo(email, { clientId, subject }), sendAt: null });
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  vi.restoreAllMocks();
  return mailTo(email);
}

test.each([
  ["Quillfeather Mediation", (own: string) => `Quillfeather Mediation (${own}) via Evenhand`],
  ["Quill (ines@other.example) via Evenhand", (own: string) => `${own} via Evenhand`],
  ["Quill (ines@other.example)", (own: string) => `Quill ines other.example (${own}) via Evenhand`],
  ["The Evenhand team", (own: string) => `${own} via Evenhand`],
  ["Ｅven-hand support", (own: string) => `${own} via Evenhand`],
  ["Еvenhand Support", (own: string) => `${own} via Evenhand`],
  ["Εvenhаnd Security", (own: string) => `${own} via Evenhand`],
  ["Еѵепһапԁ Support", (own: string) => `${own} via Evenhand`],
  ["Evenhanc̣l Team", (own: string) => `${own} via Evenhand`],
  ["Evenhond Team", (own: string) => `${own} via Evenhand`],
  ["Accоunt Security", (own: string) => `${own} via Evenhand`],
  ["Μεσολάβηση Ларина 山田たろう", (own: string) => `Μεσολάβηση Ларина 山田たろう (${own}) via Evenhand`],
])(
  "S73: a letter by the installation's sender, when the practice is called %s, bears its owner's address",
  async (name, nameFor) => {
    await rename(practice, name);
    const client = await practice.api.clients.create.mutate(aClient({ email: `${newId().toLowerCase()}@example.org` }));
    const { from, replyTo } = await letter(practice, client);
    expect(from).toEqual({ name: nameFor(practice.email), address: SYSTEM });
    expect(replyTo).toEqual([{ name: "", address: practice.email }]);
  },
);

test("S73: a colleague's letter by the installation's sender, when it is answered, comes to them and names the owner", async () => {
  const before = settings();
  configure({ ...before, SYSTEM_SMTP_URL: undefined });
  const tom = await aStaffUser(app, practice, { permissions: ["mail.send", "mail.read", "clients.read"] });
  configure(before);
  const client = await practice.api.clients.create.mutate(aClient({ email: "colleague@example.org" }));
  const { from, replyTo } = await letter(tom, client);
  expect(from?.name).toBe(`${practice.practiceName} (${practice.email}) via Evenhand`);
  expect(replyTo?.map(({ address }) => address)).toEqual([tom.email]);
});

test("S68: a letter by the installation's sender, when its reader must be reached discreetly, names a person and no practice", async () => {
  await rename(practice, "Harbour Mediation");
  const mail = await letter(practice, await aDiscreetClient("rita@example.org"));
  expect(mail.from).toEqual({ name: "Ines Marchbank via shared mail", address: SYSTEM });
  expect(mail.replyTo).toBeUndefined();
  const source = smtp.received.find(({ to }) => to.includes("rita@example.org"))?.source ?? "";
  expect(source.split("\r\n\r\n", 1)[0]).not.toMatch(/harbour|mediation|via Evenhand|practice\d/i);
});

test.each([
  ["Evenhand", "Support"],
  ["Еvenhand", "Security"],
  ["Evenhаnd", "Support"],
  ["Eѵenhand", "Support"],
  ["Evenhanc̣l", "Team"],
  ["Accоunt", "Security"],
])(
  "S73: a discreet letter by the installation's sender, when its writer is called %s %s, does not say so",
  async (first_name, last_name) => {
    await stored("users").updateOne({ _id: practice.ownerId }, { $set: { first_name, last_name } });
    const mail = await letter(practice, await aDiscreetClient(`${newId().toLowerCase()}@example.org`));
    const from = { name: "Somebody via shared mail", address: SYSTEM };
    expect(mail).toMatchObject({ from, subject: "A message for you" });
  },
);

test("S73: a discreet letter by the installation's sender, whatever its writer is called, says that the product did not write it", async () => {
  const name = { first_name: "Account", last_name: "Security" };
  await stored("users").updateOne({ _id: practice.ownerId }, { $set: name });
  const { from, text, html } = await letter(practice, await aDiscreetClient("rosa@example.org"));
  expect(from?.name).toBe("Account Security via shared mail");
  for (const words of [text, html]) expect(words).toContain("Somebody who uses this mail service wrote this message.");
});

test("S68: an invitation of somebody who must be reached discreetly, when the practice's mailbox fails, names no address of the practice", async () => {
  const own = "ines@quill.example.org";
  await connectMailbox(practice.ownerId, { email: own, smtpPort: await freePort(), imapPort: await freePort() });
  const { theCase, first, p1 } = await aCase(practice);
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" };
  await stored("clients").updateOne({ _id: first.id }, { $set: { safeContact } });
  const meeting = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
  await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, meeting));
  await deliverCaseMail(log);
  const { from, attachments } = await mailTo(first.email);
  expect(from).toEqual({ name: "Ines Marchbank via shared mail", address: SYSTEM });
  const calendar = attachments
    .map(({ content }) => (typeof content === "string" ? content : ""))
    .join("")
    .replace(/\r\n /g, "");
  expect(calendar).toContain(`mailto:${SYSTEM}`);
  expect(calendar).not.toMatch(/quill/);
});

test("S73: mail of the product and of a practice, when both have one subject, differ in name and in brackets that only the product has", async () => {
  await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: practice.email });
  const real = await mailTo(practice.email);
  expect(real).toMatchObject({ subject: "[Evenhand] Choose a new password", from: { name: "Evenhand" } });
  for (const [index, subject] of ["[Evenhand] Choose a new password", "【Evenhand】 Choose a new password"].entries()) {
    const client = await practice.api.clients.create.mutate(aClient({ email: `victim${index}@example.org` }));
    const forged = await letter(practice, client, subject);
    expect(forged.subject).toBe("(Evenhand) Choose a new password");
    expect(forged.from?.name).not.toBe(real.from?.name);
  }
  // Nor as an encoded word, which mail programs read as what it stands for.
  const reader = await practice.api.clients.create.mutate(aClient({ email: "reader@example.org" }));
  const encoded = await letter(practice, reader, "=?utf-8?q?=5BEvenhand=5D_Choose_a_new_password?=");
  expect(encoded.subject).toBe("= ?utf-8?q?=5BEvenhand=5D_Choose_a_new_password?=");
});

test("an invitation to a meeting, when its practice has no mailbox, still leaves by the installation's sender", async () => {
  const { theCase, first, p1 } = await aCase(practice);
  const meeting = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
  await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, meeting));
  await deliverCaseMail(log);
  expect(await mailTo(first.email)).toMatchObject({ subject: "Your appointment", from: { address: SYSTEM } });
});

const aMailing = (person: TestPerson, csv: string) =>
  person.api.mailings.create.mutate({
    id: newId(),
    subject: "Choose a new password",
    body: richTextOf("Here."),
    perMinute: 0,
    source: { kind: "csv", csv },
  });

test("S73: mailings.start, when nobody connected a mailbox, is refused with what to do, and nobody of the list gets it", async () => {
  const addresses = Array.from({ length: 30 }, (_, index) => `stranger${index}@example.net`);
  const { id } = await aMailing(practice, `value\n${addresses.join("\n")}`);
  expect(await practice.api.mailings.getSender.query()).toEqual({ address: null });
  expect(await refusal(practice.api.mailings.start.mutate({ changeId: newId(), id }))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("Connect one under Email"),
  });
  expect((await practice.api.mailings.get.query({ id })).state).toBe("ready");
  expect(smtp.received).toEqual([]);
});

test("S73: a mailing under way, when its mailbox takes none or is gone, sends nothing by the installation's sender", async () => {
  const own = await startSmtp();
  await connectMailbox(practice.ownerId, { email: "ines@quill.example.org", smtpPort: own.port, imapPort: 1 });
  expect(await practice.api.mailings.getSender.query()).toEqual({ address: "ines@quill.example.org" });
  const { id } = await aMailing(practice, "value\nreject@example.net\n");
  const stateOf = () => practice.api.mailings.get.query({ id });
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(async () => expect((await stateOf()).counts.failed).toBe(1), { timeout: 15_000, interval: 50 });
  await own.close();
  await practice.api.mailboxes.disconnect.mutate();
  const at = new Date(0);
  await stored("mailing_items").updateMany({ mailingId: id }, { $set: { state: "waiting", dueAt: at } });
  await stored("mailings").updateOne({ _id: id }, { $set: { state: "sending", dueAt: at } });
  await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ state: "paused" }), {
    timeout: 20_000,
    interval: 100,
  });
  expect((await stateOf()).reason).toContain("Connect one under Email");
  expect(smtp.received.filter(({ to }) => to.includes("reject@example.net"))).toEqual([]);
});
