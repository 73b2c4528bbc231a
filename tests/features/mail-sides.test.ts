// Everybody who stands on a side of a case, and every mail that such people wrote or got: none of it comes to another side.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { linesOfUnsentMail, linesWithoutCode } from "@app/server/features/history/history.migration";
import { HistoryModel } from "@app/server/features/history/history.model";
import { storeFile } from "@app/server/features/files/files.service";
import { reasonsWithoutCode } from "@app/server/features/outbox/outbox.migration";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { sidesOfAllContacts } from "@app/server/features/contacts/contacts.migration";
import { ContactModel } from "@app/server/features/contacts/contacts.model";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { closeConnections } from "@app/server/features/inbox/connections";
import { tasksOfOne, tasksWithoutCode } from "@app/server/features/tasks/tasks.migration";
import { TaskModel } from "@app/server/features/tasks/tasks.model";
import type { MailDraft } from "@app/shared/mail-check";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { freePort } from "../support/server/free-port.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aCase, aClient, aPractice, aStaffUser, clientFields, scopeOf } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { sendByFunction } from "../support/mail/by-function.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;

let box = "";
let count = 0;
const smtp = anSmtpForAll();
const dovecot = whyNoDovecot ? null : forAllTests(startDovecot);
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
beforeEach(async () => {
  box = `sides${(count += 1)}@practice.example.org`;
  const imap = dovecot ? { imapPort: dovecot.port, ca: dovecot.ca } : { imapPort: await freePort() };
  await connectMailbox(practice.ownerId, { email: box, smtpPort: smtp.port, ...imap });
});
afterEach(() => vi.restoreAllMocks());
afterAll(closeConnections);

const aDraft = (overrides: Partial<MailDraft> = {}): MailDraft =>
  aLetterTo(built.first.email, { clientId: built.first.id, caseId: built.theCase.id, ...overrides });
const send = (draft: MailDraft, sendAt: string | null = null) =>
  practice.api.compose.send.mutate({ id: newId(), ...draft, sendAt });
const codesOf = async (draft: MailDraft) =>
  (await practice.api.compose.check.mutate(draft)).problems.map(({ code }) => code);

const byFunction = async (to: string[], cc: string[] = []) =>
  (await sendByFunction(app, practice, box, { to, cc })).status;

/** A contact whom the case gives this place; gives their address. */
async function aHelper(place: "representative" | "payer" | "link" | "referrer", partyId: string): Promise<string> {
  const email = `${place}${(count += 1)}@law.example.org`;
  const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
  const { id: caseId } = built.theCase;
  const { version, parties } = await practice.api.cases.get.query({ id: caseId });
  const party = parties.find((one) => one.partyId === partyId);
  if (!party) throw new Error("no such party");
  if (place === "representative")
    await practice.api.casework.updateParty.mutate({
      id: caseId,
      version,
      partyId,
      side: party.side,
      role: party.role,
      consentedOn: party.consentedOn,
      representativeContactIds: [id],
    });
  else if (place === "payer")
    await practice.api.casework.setFunding.mutate({
      id: caseId,
      version,
      parties: parties.map((one) => ({
        partyId: one.partyId,
        funding: { type: "private", shareBp: 5000, payerContactId: one === party ? id : "" },
      })),
    });
  else {
    const link =
      place === "link" ? { role: "solicitor" as const, partyId } : { role: "referrer" as const, partyId: null };
    await practice.api.contacts.link.mutate({ id, changeId: newId(), caseId, ...link });
  }
  return email;
}

/** Takes that place from whoever has it. */
async function takeAway(place: "representative" | "payer" | "link", partyId: string, email: string): Promise<string> {
  const { id: caseId } = built.theCase;
  const { version, parties } = await practice.api.cases.get.query({ id: caseId });
  const party = parties.find((one) => one.partyId === partyId);
  const doc = await ContactModel.findOne({ ownerId: practice.ownerId, email }).lean();
  if (!party || !doc) throw new Error("no such party, or contact");
  const { side, role, consentedOn } = party;
  if (place === "representative") {
    const fields = { side, role, consentedOn, representativeContactIds: [] };
    await practice.api.casework.updateParty.mutate({ id: caseId, version, partyId, ...fields });
  } else if (place === "payer") {
    const funding = { type: "private" as const, shareBp: 5000, payerContactId: "" };
    const changed = parties.map((one) => ({ partyId: one.partyId, funding }));
    await practice.api.casework.setFunding.mutate({ id: caseId, version, parties: changed });
  } else await practice.api.contacts.unlink.mutate({ id: doc._id, caseId, role: "solicitor", partyId });
  return doc._id;
}

describe("whoever stood on a side", () => {
  test.each(["representative", "payer", "link"] as const)(
    "S69: a former %s of another side, when a mail for this side would go to them too, keeps it, until they change sides",
    async (place) => {
      const email = await aHelper(place, built.p2.partyId);
      const id = await takeAway(place, built.p2.partyId, email);
      const cc = [{ name: "", address: email }];
      expect(await codesOf(aDraft({ cc }))).toEqual(["other_party"]);
      expect(await byFunction([built.first.email], [email])).toBe(409);
      const other = { clientId: built.second.id, to: [{ name: "", address: built.second.email }] };
      expect(await codesOf(aDraft({ ...other, cc }))).toEqual([]);

      const link = { id, caseId: built.theCase.id, role: "solicitor" as const, partyId: built.p1.partyId };
      await practice.api.contacts.link.mutate({ ...link, changeId: newId() });
      expect(await codesOf(aDraft({ cc }))).toEqual([]);
      expect(await codesOf(aDraft({ ...other, cc }))).toEqual(["other_party"]);
    },
  );

  test("S69: a letter, when it would go to nobody but a former solicitor of another side, stays", async () => {
    const email = await aHelper("link", built.p2.partyId);
    await takeAway("link", built.p2.partyId, email);
    expect(await codesOf(aDraft({ to: [{ name: "", address: email }] }))).toEqual(["other_party"]);
  });

  test("S69: contacts from before it was kept where they stood, when the installation is brought up to date, are known by where they stand", async () => {
    const email = await aHelper("representative", built.p2.partyId);
    const mine = { ownerId: practice.ownerId, email };
    await ContactModel.updateOne(mine, { $unset: { sides: 1 } });
    await sidesOfAllContacts();
    await takeAway("representative", built.p2.partyId, email);
    expect(await codesOf(aDraft({ cc: [{ name: "", address: email }] }))).toEqual(["other_party"]);
  });
});

describe("whoever stands on a side", () => {
  test.each(["representative", "payer", "link"] as const)(
    "S68: another side's %s, when a mail for this side would go to them too, keeps it, and one's own does not",
    async (place) => {
      const other = await aHelper(place, built.p2.partyId);
      const draft = aDraft({ cc: [{ name: "", address: other.toUpperCase() }] });
      expect(await codesOf(draft)).toEqual(["other_party"]);
      expect((await refusal(send(draft))).message).toMatch(/^PARTY_LEAK: /);
      expect(await byFunction([built.first.email], [other])).toBe(409);
      expect(await codesOf(aDraft({ caseId: null, cc: draft.cc }))).toEqual(["other_party"]);

      const place2 = { clientId: built.second.id, to: [{ name: "", address: built.second.email }] };
      expect(await codesOf(aDraft({ ...place2, cc: draft.cc }))).toEqual([]);
      expect(await byFunction([built.second.email], [other])).toBe(200);
    },
  );

  test("S68: whoever pays for both, when a mail for either goes to them too, keeps neither, also if they paid for one before", async () => {
    const email = await aHelper("payer", built.p1.partyId);
    const doc = await ContactModel.findOne({ ownerId: practice.ownerId, email }).lean();
    const { id, version, parties } = await practice.api.cases.get.query({ id: built.theCase.id });
    const funding = { type: "private" as const, shareBp: 5000, payerContactId: doc?._id ?? "" };
    const changed = parties.map(({ partyId }) => ({ partyId, funding }));
    await practice.api.casework.setFunding.mutate({ id, version, parties: changed });
    const cc = [{ name: "", address: email }];
    expect(await codesOf(aDraft({ cc }))).toEqual([]);
    const other = { clientId: built.second.id, to: [{ name: "", address: built.second.email }] };
    expect(await codesOf(aDraft({ ...other, cc }))).toEqual([]);
  });

  test("S68: one side's representative and another's payer, when one mail would go to both, keep it", async () => {
    const own = await aHelper("representative", built.p1.partyId);
    const other = await aHelper("payer", built.p2.partyId);
    expect(await byFunction([own], [other])).toBe(409);
    expect(smtp.received).toEqual([]);
  });

  test("S68: whoever is on nobody's side, when a mail for either goes to them too, keeps neither", async () => {
    const cc = [{ name: "", address: await aHelper("referrer", built.p1.partyId) }];
    expect(await codesOf(aDraft({ cc }))).toEqual([]);
    const other = { clientId: built.second.id, to: [{ name: "", address: built.second.email }] };
    expect(await codesOf(aDraft({ ...other, cc }))).toEqual([]);
  });

  test("start: a representative and a payer, when somebody begins to write, are choices of their own side alone", async () => {
    const own = await aHelper("representative", built.p1.partyId);
    const other = await aHelper("payer", built.p2.partyId);
    const { choices } = await practice.api.compose.start.query({ clientId: built.first.id, caseId: built.theCase.id });
    expect(choices.map(({ address, role, isOtherParty }) => [address, role, isOtherParty])).toEqual([
      [built.first.email, "", false],
      [built.second.email, "other participant", true],
      [own, "representative for P1", false],
      [other, "payer for P2", true],
    ]);
  });

  test("S69: a copy to somebody who became the other side's representative, when it is due, does not leave", async () => {
    const email = "later@law.example.org";
    const sent = await send(aDraft({ cc: [{ name: "", address: email }] }));
    const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
    const { version, parties } = await practice.api.cases.get.query({ id: built.theCase.id });
    const [, p2] = parties;
    if (!p2) throw new Error("no second party");
    const { partyId, side, role, consentedOn } = p2;
    const change = { partyId, side, role, consentedOn, representativeContactIds: [id] };
    await practice.api.casework.updateParty.mutate({ id: built.theCase.id, version, ...change });
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    const mail = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: sent.id }).lean();
    expect(mail).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/^later@law.example.org cannot get this message/),
    });
    expect(smtp.received).toEqual([]);
  });
});

describe.skipIf(whyNoDovecot)("a mail that is answered", () => {
  const lay = async (mail: string, folder = "INBOX") => {
    if (dovecot) await layMails(dovecot, box, [mail], { folder });
  };
  const id = () => `<q${(count += 1)}@example.org>`;
  const answersOf = (messageId: string): Partial<MailDraft>[] => [
    { inReplyTo: messageId },
    { references: [messageId] },
    { inReplyTo: id(), references: [messageId, ...Array.from({ length: 40 }, id)] },
  ];

  test.each<[string, (address: string) => { from?: string; to?: string; headers?: string[] }]>([
    ["wrote it", (address) => ({ from: address })],
    ["got it", (address) => ({ from: box, to: address })],
    ["got a copy", (address) => ({ headers: [`Cc: ${address}`] })],
    ["got a hidden copy", (address) => ({ headers: [`Bcc: ${address}`] })],
  ])("S68: where another side %s, when this side's mail names it anywhere, keeps that", async (_what, fields) => {
    const people = [
      built.second.email,
      await aHelper("link", built.p2.partyId),
      await aHelper("payer", built.p2.partyId),
      (await practice.api.clients.create.mutate(aClient({ email: `stranger${count}@example.org` }))).email,
    ];
    for (const address of people) {
      const messageId = id();
      await lay(aMail({ from: "court@example.net", to: box, messageId, ...fields(address) }), "Sent");
      for (const answer of answersOf(messageId)) {
        expect({ address, codes: await codesOf(aDraft(answer)) }).toEqual({ address, codes: ["other_party"] });
        expect((await refusal(send(aDraft(answer)))).message).toMatch(/^PARTY_LEAK: /);
      }
    }
  });

  test("S68: where this side alone wrote and got it, when their mail names it, keeps nothing", async () => {
    const messageId = id();
    const headers = [`Cc: ${await aHelper("representative", built.p1.partyId)}, aunt@example.net`];
    await lay(aMail({ from: built.first.email, to: box, headers, messageId }));
    for (const answer of answersOf(messageId)) expect(await codesOf(aDraft(answer))).toEqual([]);
  });

  test("S68: where this side wrote it or got it with the other, when their mail names it, keeps nothing: they know it", async () => {
    for (const mail of [
      { from: built.first.email, to: `${box}, ${built.second.email}` },
      { from: box, to: `${built.second.email}, ${built.first.email}` },
      { from: built.second.email, to: box, headers: [`Cc: ${built.first.email}`] },
    ]) {
      const messageId = id();
      await lay(aMail({ ...mail, messageId }));
      for (const answer of answersOf(messageId)) expect(await codesOf(aDraft(answer))).toEqual([]);
    }
  });

  test("S68: where we wrote it to another side's solicitor, when this side's mail names it, keeps that", async () => {
    const solicitor = await aHelper("link", built.p2.partyId);
    const to = [{ name: "", address: solicitor }];
    await send(aDraft({ clientId: built.second.id, to }));
    expect(await byFunction([solicitor])).toBe(200);
    const written = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
    expect(written).toHaveLength(2);
    for (const { messageId } of written) {
      expect(await codesOf(aDraft({ inReplyTo: messageId }))).toEqual(["other_party"]);
      expect(await codesOf(aDraft({ caseId: null, references: [messageId] }))).toEqual(["other_party"]);
    }
  });

  test("S68: named with another in one field, when the mail is checked or sent, is refused by the name of the field", async () => {
    for (const ids of ["<a@example.org> <b@example.org>", "<a@example.org><b@example.org>", "a@example.org", "<a b>"]) {
      const answers: [string, Partial<MailDraft>][] = [
        ["inReplyTo", { inReplyTo: ids }],
        ["references.0", { references: [ids] }],
      ];
      for (const [field, answer] of answers) {
        expect((await refusal(practice.api.compose.check.mutate(aDraft(answer)))).fields).toHaveProperty([field]);
        expect((await refusal(send(aDraft(answer)))).fields).toHaveProperty([field]);
      }
    }
  });

  test("S68: where the mailbox does not answer, when a mail names one that we did not write, keeps that and says so", async () => {
    const away = await aPractice(app);
    const { first, theCase } = await aCase(away);
    await connectMailbox(away.ownerId, { email: "away@practice.example.org", smtpPort: 1, imapPort: await freePort() });
    const place = { clientId: first.id, caseId: theCase.id, to: [{ name: "", address: first.email }] };
    const check = (answer: Partial<MailDraft>) => away.api.compose.check.mutate(aDraft({ ...place, ...answer }));
    expect((await check({ inReplyTo: id() })).problems).toMatchObject([
      { code: "quote", detail: expect.stringContaining("Try again") },
    ]);
    expect((await check({})).problems).toEqual([]);
  });
});

describe("what stands beside a mail that did not leave", () => {
  async function barred(person = practice, sendFor = aDraft()) {
    const { id } = await person.api.compose.send.mutate({ id: newId(), ...sendFor, sendAt: null });
    const { version, ...client } = await practice.api.clients.get.query({ id: built.first.id });
    const { email, firstName, lastName } = client;
    const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false, mayText: false, safeTimes: "weekdays" };
    const fields = clientFields({ email, firstName, lastName, safeContact });
    await practice.api.clients.update.mutate({ id: built.first.id, version, client: fields });
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received.filter(({ to }) => to.includes(built.first.email))).toEqual([]);
    return OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  }
  const titles = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

  test("S68: where its person may not be emailed any more, when it is due, is a task that says how to reach them", async () => {
    const mail = await barred();
    expect(mail).toMatchObject({ state: "failed", reason: expect.stringMatching(/^Whoever .* may not be emailed/) });
    expect(await titles()).toEqual([
      `Tell ${built.first.displayName} what a message says that did not leave: may not be emailed. Use phone or post. Safe times: weekdays. Leave no voicemail.`,
    ]);
    const { items } = await practice.api.timeline.list.query({ clientId: built.first.id });
    expect(items.map(({ text }) => text).join("\n")).not.toContain("PARTY_LEAK");
  });

  test("S68: where its writer may know no client any more, when it is due, names nobody", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const { items } = await practice.api.staff.list.query();
    const staff = items.find(({ email }) => email === person.email);
    const { id } = await person.api.compose.send.mutate({ id: newId(), ...aDraft(), sendAt: null });
    await practice.api.staff.update.mutate({
      id: staff?.id ?? "",
      role: 3,
      permissions: ["mail.send"],
      version: staff?.version ?? 0,
    });
    await barred();
    expect(await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean()).toMatchObject({ state: "failed" });
    const told = (await titles()).filter((title) => title.startsWith("A message did not leave: Whoever wrote it"));
    expect(told).toHaveLength(1);
    expect(told.join()).not.toContain(built.first.lastName);
  });

  test("S70: says why to its writer, and to nobody else who sees the case, whatever its file is called", async () => {
    const name = "About the other house.txt";
    const visibility = { scope: "party" as const, partyIds: [built.p1.partyId], aboutPartyIds: [built.p1.partyId] };
    const place = { clientId: null, caseId: built.theCase.id };
    const content = Readable.from([Buffer.from("words")]);
    const file = await storeFile(scopeOf(practice.ownerId), content, { ...place, name, visibility });
    const { id } = await send(aDraft({ fileIds: [file.id] }));
    const mediators = { ...visibility, scope: "mediator" as const, partyIds: [] };
    const { id: fileId, version, tags } = file;
    await practice.api.files.update.mutate({ id: fileId, version, name, tags, visibility: mediators });
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    expect(await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean()).toMatchObject({ state: "failed" });
    expect(await titles()).toEqual([expect.stringContaining(name)]);
    const reader = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    const { items } = await reader.api.tasks.list.query({ caseId: built.theCase.id });
    const { items: lines } = await reader.api.timeline.list.query({ caseId: built.theCase.id });
    expect(items).toEqual([]);
    expect(lines.map(({ text }) => text).join("\n")).not.toMatch(/other house|did not leave/);
    const { items: own } = await practice.api.timeline.list.query({ caseId: built.theCase.id });
    expect(own.map(({ text }) => text)).toContain(`Message to ${built.first.displayName} did not leave`);
  });

  test("S68: where it once began with a code, when the installation is brought up to date, begins with the words", async () => {
    const mail = await barred();
    const mine = { ownerId: practice.ownerId };
    const old = "PARTY_LEAK: Whoever it is may not be emailed.";
    await OutboxModel.updateOne({ ...mine, _id: mail?._id ?? "" }, { $set: { reason: old } });
    await TaskModel.updateOne(mine, { $set: { title: `A message did not leave: ${old}`, isPersonal: false } });
    const line = { kind: "task", text: `Task added: A message did not leave: ${old}`, needs: null };
    await HistoryModel.updateOne({ ...mine, kind: "mail" }, { $set: line });
    const steps = [reasonsWithoutCode, tasksWithoutCode, linesWithoutCode, tasksOfOne, linesOfUnsentMail];
    for (const run of steps) await run();
    const words = "Whoever it is may not be emailed.";
    expect(await OutboxModel.findOne({ ...mine, _id: mail?._id ?? "" }).lean()).toMatchObject({ reason: words });
    expect(await titles()).toEqual([`A message did not leave: ${words}`]);
    expect(await HistoryModel.findOne({ ...mine, kind: "task" }).lean()).toMatchObject({
      text: `Task added: A message did not leave: ${words}`,
      needs: "mail.read",
    });
    expect(await TaskModel.findOne(mine).lean()).toMatchObject({ isPersonal: true });
  });
});
