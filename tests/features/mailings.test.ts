import { newId } from "@app/server/core/ids";
import { runMailing } from "@app/server/features/mailings/mailing-run";
import { recipientsOfCsv } from "@app/server/features/mailings/recipient-list.foreign";
import { noteMailingBounce } from "@app/server/features/mailings/mailing-bounces.service";
import { MailingItemModel, MailingModel } from "@app/server/features/mailings/mailings.model";
import { configure, settings } from "@app/server/core/settings";
import { createLogger } from "@app/server/core/logger";
import type { CreateMailing } from "@app/shared/mailings";
import { richTextOf } from "@app/shared/rich-text";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { changeTeam } from "../support/visibility/case-team.ts";
import { aCase, aClient, aPractice, clientFields, aStaffUser, type Sent } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";

const { smtp, app, practice } = aSendingPractice({ PUBLIC_URL: "" });

const aMailing = (overrides: Partial<CreateMailing> = {}): Sent<CreateMailing> => ({
  id: newId(),
  subject: "We move, {{client.firstName}}",
  body: richTextOf("Dear {{client.fullName}},\nour new address is 4 Kiln Row.\n{{practice.name}}"),
  perMinute: 0,
  source: { kind: "csv", csv: "value,label\npriya@example.org,Priya Shah\nowen@example.org,Owen Castell\n" },
  ...overrides,
});

async function sent(overrides: Partial<CreateMailing> = {}) {
  const { id } = await practice.api.mailings.create.mutate(aMailing(overrides));
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  return settled(id);
}

const settled = (id: string) =>
  vi.waitFor(
    async () => {
      const mailing = await practice.api.mailings.get.query({ id });
      if (mailing.state === "sending") throw new Error(`still ${JSON.stringify(mailing.counts)}`);
      return mailing;
    },
    { timeout: 20_000, interval: 50 },
  );

const itemsOf = async (mailingId: string) =>
  (await practice.api.mailings.listItems.query({ mailingId, page: 1 })).items.map(({ address, state, reason }) => ({
    address,
    state,
    reason,
  }));

const counted = (counts: Partial<Record<"waiting" | "sent" | "failed" | "skipped" | "uncertain", number>>) => {
  const all = { waiting: 0, sent: 0, failed: 0, skipped: 0, uncertain: 0, perhapsTwice: 0, ...counts };
  return { ...all, total: Object.values(all).reduce((sum, count) => sum + count, 0) };
};

const mailTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));

test("mailings.start: a list of two, then each gets a mail of their own with their own name in it", async () => {
  const { counts, state } = await sent();
  expect({ state, counts }).toEqual({ state: "done", counts: counted({ sent: 2 }) });
  expect(smtp.received.map(({ to }) => to.join()).toSorted()).toEqual(["owen@example.org", "priya@example.org"]);
  const [mail] = mailTo("priya@example.org");
  expect(mail?.source).toContain("Subject: We move, Priya");
  expect(mail?.source).toContain("Dear Priya Shah,");
  expect(mail?.source).toContain(`From: ${practice.practiceName} <${INES}>`);
  expect(mail?.source).not.toContain("owen");
});

test("S68: a row of a list that says another's name beside a client's address, then the letter has the client's own", async () => {
  const { first, second } = await aCase(practice);
  const csv = `value,label\n${first.email},${second.displayName}\n${second.email},\n`;
  const { counts } = await sent({ source: { kind: "csv", csv } });
  expect(counts.sent).toBe(2);
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const source = mailTo(own.email)[0]?.source ?? "";
    expect(source).toContain(`Dear ${own.displayName},`);
    expect(source).not.toContain(other.lastName);
  }
});

test.each([
  ["who see assigned clients only", ["mail.send", "clients.read", "assigned_only"]],
  ["who may not read clients", ["mail.send"]],
] as const)("S68: a list by staff %s, then no name stands on their mails", async (_who, rights) => {
  const writer = await aStaffUser(app, practice, { permissions: [...rights] });
  const writerId = (await writer.api.auth.status.query()).user?.userId ?? "";
  await connectMailbox(writerId, { email: `${writerId}@practice.example.org`, smtpPort: smtp.port, imapPort: 1 });
  const { first, second } = await aCase(practice);
  const csv = `value,label\n${first.email},Guess\n${second.email},${first.displayName}\nada@example.org,Ada\n`;
  const source = { kind: "csv" as const, csv };
  const send = async (overrides: Partial<CreateMailing>) => {
    const { id } = await writer.api.mailings.create.mutate(aMailing({ source, ...overrides }));
    await writer.api.mailings.start.mutate({ changeId: newId(), id });
    return settled(id);
  };
  const { id, counts } = await send({});
  expect(counts).toMatchObject({ sent: 0, skipped: 3 });
  const reasons = (await itemsOf(id)).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set([expect.stringContaining("Names of a list are used only")]));
  expect((await send({ subject: "We move", body: richTextOf("Dear all") })).counts.sent).toBe(3);
  for (const address of [first.email, second.email, "ada@example.org"]) {
    const [mail, ...others] = mailTo(address);
    expect(others).toEqual([]);
    expect(mail?.source).toContain(`To: ${address}\r\n`);
    for (const name of [first.lastName, second.lastName, "Guess", "Ada"]) expect(mail?.source).not.toContain(name);
  }
});

test("mailings.start: a name with its last part first, then the letter greets by the first name, with one comma", async () => {
  const body = richTextOf("Dear {{client.firstName}},\nwe move.");
  await sent({
    body,
    source: { kind: "csv", csv: 'value,label\nt@example.org,"Three, Tim"\nv@example.org,"Voss,"\n' },
  });
  expect(mailTo("t@example.org")[0]?.source).toContain("Dear Tim,\r\n");
  expect(mailTo("v@example.org")[0]?.source).toContain("Dear Voss,\r\n");
});

test("mailings.start: a name with signs of HTML, then it stands there as it was written", async () => {
  await sent({ source: { kind: "csv", csv: 'value,label\nx@example.org,"<b>Tom</b> & co"\n' } });
  const source = mailTo("x@example.org")[0]?.source.replace(/=\r\n/g, "").replace(/=3D/g, "=") ?? "";
  expect(source).toContain("Dear <b>Tom</b> & co,");
  expect(source).toMatch(/Dear &#60;b&#62;Tom&#60;\/b&#62; &#38; co/);
});

test("mailings.create: clients who may not be mailed, without an address or twice, then they are left out with the reason", async () => {
  const safe = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  await practice.api.clients.create.mutate(aClient({ firstName: "Ann", email: "ann@example.org" }));
  await practice.api.clients.create.mutate(aClient({ firstName: "Bea", email: "bea@example.org", safeContact: safe }));
  await practice.api.clients.create.mutate(aClient({ firstName: "Cai", email: "" }));
  await practice.api.clients.create.mutate(aClient({ firstName: "Dee", email: "ann@example.org" }));
  const mailing = await sent({ source: { kind: "filter", filter: {} } });
  expect(mailing.counts).toEqual(counted({ sent: 1, skipped: 3 }));
  const reasons = new Map(
    (await itemsOf(mailing.id)).map(({ address, reason }) => [address + reason.slice(0, 9), reason]),
  );
  expect([...reasons.values()].filter(Boolean).toSorted()).toEqual([
    "Has no email address.",
    "May not be emailed: see how this client may be reached.",
    "Stands on the list twice: one mail is enough.",
  ]);
  expect(smtp.received).toHaveLength(1);
});

test("mailings.start: somebody may no longer be mailed since it was written, then nothing goes to them", async () => {
  const client = await practice.api.clients.create.mutate(aClient({ email: "maya@example.org" }));
  const source = { kind: "clients" as const, clientIds: [client.id] };
  const { id } = await practice.api.mailings.create.mutate(aMailing({ source }));
  const changed = clientFields({
    email: "maya@example.org",
    safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false },
  });
  await practice.api.clients.update.mutate({ id: client.id, version: client.version, client: changed });
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  expect((await settled(id)).counts).toEqual(counted({ skipped: 1 }));
  expect(smtp.received).toEqual([]);
});

test("mailings.start: a client with a safety flag, then nothing on the outside tells who writes or why", async () => {
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayPhone: false };
  const client = await practice.api.clients.create.mutate(aClient({ email: "maya@example.org", safeContact }));
  await sent({ source: { kind: "clients", clientIds: [client.id] } });
  const head = mailTo("maya@example.org")[0]?.source.split("\r\n\r\n")[0] ?? "";
  expect(head).toContain("Subject: A message from Ines Marchbank");
  expect(head).not.toContain(practice.practiceName);
});

test("unsubscribing: one click in the mail program, then this address gets no further mailing and all others do", async () => {
  await sent();
  const link = /List-Unsubscribe:\s+<([^>]+)>/.exec(mailTo("priya@example.org")[0]?.source ?? "")?.[1] ?? "";
  expect(mailTo("priya@example.org")[0]?.source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  const address = `${app.url}${new URL(link).pathname}`;
  const asked = await fetch(address);
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining("No more mailings?")]);
  expect((await sent()).counts).toEqual(counted({ sent: 2 }));
  const done = await fetch(address, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  expect(done.status).toBe(200);
  const next = await sent();
  expect(next.counts).toEqual(counted({ sent: 1, skipped: 1 }));
  const { items } = await practice.api.suppressions.list.query({ page: 1 });
  expect(items.map(({ address: stopped, reason }) => [stopped, reason])).toEqual([
    ["priya@example.org", "unsubscribed"],
  ]);
  expect((await fetch(`${app.url}/u/${"x".repeat(32)}`, { method: "POST" })).status).toBe(404);
});

test("mailings.start: refused for good, for now and cut off, then the first is told, the second waits and nothing is sent twice", async () => {
  const csv = "value,label\nreject@example.org,R\ngrey@example.org,G\nfine@example.org,F\n";
  const { id } = await practice.api.mailings.create.mutate(aMailing({ source: { kind: "csv", csv } }));
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(
    async () =>
      expect((await practice.api.mailings.get.query({ id })).counts).toEqual(
        counted({ sent: 1, failed: 1, waiting: 1 }),
      ),
    { timeout: 5000 },
  );
  const items = new Map((await itemsOf(id)).map((item) => [item.address, item]));
  expect(items.get("reject@example.org")).toMatchObject({ state: "failed", reason: expect.stringContaining("550") });
  expect(items.get("grey@example.org")).toMatchObject({ state: "waiting", reason: expect.stringContaining("451") });
});

test("mailings.start: refused by the mailbox, then the installation's own sender is not asked, and the reason is told", async () => {
  const before = settings();
  configure({ ...before, SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
  const { id } = await sent({ source: { kind: "csv", csv: "value,label\nreject@example.org,R\n" } });
  configure(before);
  const [item] = await itemsOf(id);
  expect(item).toMatchObject({ state: "failed", reason: expect.stringMatching(/^The mail server refused .*550/) });
  expect(item?.reason).not.toContain("fallback");
});

test("mailings.pause: paused in the middle, then nothing more goes until it is started again", async () => {
  const csv = `value,label\n${Array.from({ length: 30 }, (_, at) => `p${at}@example.org,P ${at}`).join("\n")}`;
  const { id } = await practice.api.mailings.create.mutate(aMailing({ perMinute: 300, source: { kind: "csv", csv } }));
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(2), { timeout: 10_000 });
  await practice.api.mailings.pause.mutate({ id });
  const { counts } = await vi.waitFor(
    async () => {
      const before = smtp.received.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(smtp.received.length).toBe(before);
      const mailing = await practice.api.mailings.get.query({ id });
      expect(mailing.counts.sent).toBe(before);
      return mailing;
    },
    { timeout: 10_000 },
  );
  expect(counts.waiting).toBeGreaterThan(0);
  expect((await refusal(practice.api.mailings.pause.mutate({ id }))).message).toMatch(/paused; .*sending, cancelled/);
  await practice.api.mailings.cancel.mutate({ id });
  await vi.waitFor(
    async () => {
      const { counts: after } = await practice.api.mailings.get.query({ id });
      expect(after).toEqual(counted({ sent: smtp.received.length, skipped: 30 - smtp.received.length }));
    },
    { timeout: 5000 },
  );
});

test("runMailing: two processes at once, then each gets it once", async () => {
  const csv = `value,label\n${Array.from({ length: 40 }, (_, at) => `t${at}@example.org,T ${at}`).join("\n")}`;
  const { id } = await practice.api.mailings.create.mutate(aMailing({ source: { kind: "csv", csv } }));
  const log = createLogger("silent");
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await Promise.all(Array.from({ length: 5 }, () => runMailing(practice.ownerId, id, log)));
  await settled(id);
  expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual(
    Array.from({ length: 40 }, (_, at) => `t${at}@example.org`).toSorted(),
  );
});

/** What is asked of the recipients' collection meanwhile. */
async function askedOfItems(work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  mongoose.set("debug", (collection: string, method: string) => {
    if (collection === "mailing_items") asked.push(method);
  });
  await work();
  mongoose.set("debug", false);
  return asked;
}
const listed = async () => (await practice.api.mailings.list.query({ page: 1 })).items;
const countsIn = async () => new Map((await listed()).map(({ id, counts }) => [id, counts]));

test("mailings.list: when mailings have long texts, then it holds none of them, which get gives", async () => {
  const body = richTextOf("Guardword ".repeat(1000).trim());
  const { id } = await practice.api.mailings.create.mutate(aMailing({ body }));
  const items = await listed();
  expect(items.map((row) => row.id)).toContain(id);
  expect(JSON.stringify(items)).not.toContain("Guardword");
  expect((await practice.api.mailings.get.query({ id })).body).toEqual(body);
});

test("mailings.list: nothing is being sent, then no recipient is counted again", async () => {
  const done = await sent();
  const ready = await practice.api.mailings.create.mutate(aMailing());
  const cancelled = await practice.api.mailings.create.mutate(aMailing());
  await practice.api.mailings.cancel.mutate({ id: cancelled.id });
  expect(await askedOfItems(listed)).toEqual([]);
  expect(await countsIn()).toEqual(
    new Map([
      [cancelled.id, counted({ skipped: 2 })],
      [ready.id, counted({ waiting: 2 })],
      [done.id, counted({ sent: 2 })],
    ]),
  );
});

test("mailings.list: mails are leaving, then the numbers add up to all recipients at every moment", async () => {
  const csv = `value,label\n${Array.from({ length: 200 }, (_, at) => `s${at}@example.org,S ${at}`).join("\n")}`;
  const { id } = await practice.api.mailings.create.mutate(aMailing({ source: { kind: "csv", csv } }));
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  let counts = counted({});
  while (counts.sent < 200) {
    counts = (await countsIn()).get(id) ?? counts;
    const { total, ...states } = counts;
    expect({ total, sum: counted(states).total }).toEqual({ total: 200, sum: 200 });
  }
});

test("mailings.list: one that was over before numbers were kept, then it is counted once and keeps them", async () => {
  const { id } = await sent();
  await MailingModel.collection.updateOne(
    { ownerId: practice.ownerId },
    { $unset: { counts: "", countsRevision: "" } },
  );
  expect(await askedOfItems(listed)).not.toEqual([]);
  expect(await askedOfItems(listed)).toEqual([]);
  expect((await countsIn()).get(id)).toEqual(counted({ sent: 2 }));
});

const PROVED = {
  reason: "550 User unknown",
  isLasting: false,
  isOfMailbox: true,
  envelopeId: "",
  isFromOwnProvider: true,
};

test("mailings: a mail comes back after the end and is sent again, then the numbers follow", async () => {
  const { id } = await sent();
  const item = await MailingItemModel.findOne({ ownerId: practice.ownerId, address: "owen@example.org" }).lean();
  const bounce = { ...PROVED, messageId: item?.messageId ?? "", address: "owen@example.org" };
  expect(await noteMailingBounce(practice.ownerId, bounce)).toBe(true);
  expect((await countsIn()).get(id)).toEqual(counted({ sent: 1, failed: 1 }));
  expect(await noteMailingBounce(practice.ownerId, bounce)).toBe(false);
  await practice.api.mailings.resend.mutate({ changeId: newId(), mailingId: id, id: item?._id ?? "" });
  await vi.waitFor(async () => expect((await countsIn()).get(id)).toEqual(counted({ sent: 2 })), { timeout: 10_000 });
});

test("S71: mailings.settleBounce: of a client whom its sender does not see any more, then it is refused and nobody's address is left out", async () => {
  const permissions = ["mail.send", "mail.read", "clients.read", "assigned_only"] as const;
  const sam = await aStaffUser(app, practice, { permissions: [...permissions] });
  const samId = (await sam.api.auth.status.query()).user?.userId ?? "";
  const { theCase, first } = await aCase(practice, { staffIds: [samId] });
  const source = { kind: "clients" as const, clientIds: [first.id] };
  const { id: mailingId } = await sam.api.mailings.create.mutate(aMailing({ source }));
  const saidToBounce = { address: first.email, reason: "Unknown", isLasting: true, at: new Date() };
  const of = { ownerId: practice.ownerId, mailingId };
  await MailingItemModel.updateOne(of, { $set: { state: "sent", saidToBounce } });
  const item = await MailingItemModel.findOne(of).lean();
  await changeTeam(practice, practice, theCase, { staffIds: [] });
  const said = { mailingId, id: item?._id ?? "", hasBounced: true };
  expect(await refusal(sam.api.mailings.settleBounce.mutate(said))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect((await practice.api.suppressions.list.query({ page: 1 })).items).toEqual([]);
  await practice.api.mailings.settleBounce.mutate(said);
  expect((await practice.api.suppressions.list.query({ page: 1 })).items).toHaveLength(1);
});

test("mailings: bounces come while the numbers are read, then the last numbers are right", async () => {
  const csv = `value,label\n${Array.from({ length: 12 }, (_, at) => `b${at}@example.org,B ${at}`).join("\n")}`;
  const { id } = await sent({ source: { kind: "csv", csv } });
  const items = await MailingItemModel.find({ ownerId: practice.ownerId, mailingId: id }).lean();
  const bounces = items.map(async ({ messageId, address }) => {
    await noteMailingBounce(practice.ownerId, { ...PROVED, messageId, address });
    const { counts } = await practice.api.mailings.get.query({ id });
    expect(counts.sent + counts.failed).toBe(12);
  });
  await Promise.all(bounces);
  expect((await countsIn()).get(id)).toEqual(counted({ failed: 12 }));
});

test("mailings.cancel: mails are on their way, then what arrives after that is counted too", async () => {
  const csv = `value,label\n${Array.from({ length: 30 }, (_, at) => `c${at}@example.org,C ${at}`).join("\n")}`;
  const { id } = await practice.api.mailings.create.mutate(aMailing({ perMinute: 600, source: { kind: "csv", csv } }));
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(2), { timeout: 10_000 });
  await practice.api.mailings.cancel.mutate({ id });
  await vi.waitFor(
    async () => {
      const counts = (await countsIn()).get(id);
      const received = smtp.received.length;
      await new Promise((resolve) => setTimeout(resolve, 1200));
      expect(smtp.received.length).toBe(received);
      expect(counts).toEqual(counted({ sent: received, skipped: 30 - received }));
    },
    { timeout: 15_000 },
  );
});

test("mailings.create: a field that does not exist, then it is refused by its name", async () => {
  const wrong = practice.api.mailings.create.mutate(aMailing({ subject: "Hello {{otherParty}}" }));
  expect((await refusal(wrong)).message).toContain("{{otherParty}}");
});

test("mailings.create: no text, then nothing empty can be sent to everybody", async () => {
  const empty = practice.api.mailings.create.mutate(aMailing({ body: richTextOf("") }));
  expect((await refusal(empty)).message).toBe("Write a text.");
});

test("mailings: staff who see assigned clients only, then they neither see nor send what others wrote", async () => {
  const without = await aPractice(app);
  const { id } = await without.api.mailings.create.mutate(aMailing());
  const staff = await aStaffUser(app, without, { permissions: ["mail.send", "clients.read", "assigned_only"] });
  expect((await staff.api.mailings.list.query({ page: 1 })).items).toEqual([]);
  expect((await refusal(staff.api.mailings.start.mutate({ changeId: newId(), id }))).code).toBe("NOT_FOUND");
});

test.each([
  ["value,label\na@example.org,Ann", [["a@example.org", "Ann", false]]],
  ["\uFEFFLabel;Value\r\nAnn;a@example.org", [["a@example.org", "Ann", false]]],
  [
    "a@example.org,Ann\nb@example.org",
    [
      ["a@example.org", "Ann", false],
      ["b@example.org", "", false],
    ],
  ],
  ["email\nnobody\n", [["nobody", "", true]]],
  ['email,name\n"A@Example.org","Ann, of\nKiln Row"', [["a@example.org", "Ann, of Kiln Row", false]]],
])("recipientsOfCsv: %j", (csv, wanted) => {
  expect(recipientsOfCsv(csv).map(({ address, name, reason }) => [address, name, reason !== ""])).toEqual(wanted);
});
