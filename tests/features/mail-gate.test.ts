// Every way by which a mail of a practice starts, and everything that must keep it: the same answer by each of them.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { DEFAULT_SAFE_CONTACT, type SafeContact } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import PostalMime, { type Email } from "postal-mime";
import { afterEach, describe, expect, test, vi } from "vitest";
import { aCase, aClient, aMeetingInput, aStaffUser, clientFields, setPermissions } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;

const { smtp, app, practice } = aSendingPractice();
const built = forEachTest(() => aCase(practice));
afterEach(() => vi.restoreAllMocks());

const gotBy = (address: string) => smtp.received.filter(({ to }) => to.includes(address));
const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);

/** As the client's page would save it. */
async function change(id: string, overrides: Parameters<typeof clientFields>[0]): Promise<void> {
  const { version, ...client } = await practice.api.clients.get.query({ id });
  const { email, firstName, lastName, safeContact } = client;
  const fields = clientFields({ email, firstName, lastName, safeContact, ...overrides });
  await practice.api.clients.update.mutate({ id, version, client: fields });
}
const restrict = (id: string, safe: Partial<SafeContact>) =>
  change(id, { safeContact: { ...DEFAULT_SAFE_CONTACT, ...safe } });

const aLetter = (to: string[], cc: string[] = []) => ({
  id: newId(),
  clientId: built.first.id,
  caseId: built.theCase.id as string | null,
  to: to.map((address) => ({ name: "", address })),
  cc: cc.map((address) => ({ name: "", address })),
  subject: `Mediation at ${practice.practiceName}`,
  body: richTextOf("We meet on Monday."),
  fileIds: [],
  meetingId: null,
  inReplyTo: "",
  references: [],
  sendAt: null as string | null,
  saysNothingTo: cc,
});

/** Sends by compose; gives the refusal's words, or nothing where it left. */
async function compose(to: string[], cc: string[] = []): Promise<string> {
  const { id, ...refused } = await practice.api.compose.send
    .mutate(aLetter(to, cc))
    .catch(async (error: unknown) => ({ id: "", message: (await refusal(Promise.reject(error))).message }));
  if (!id) return "message" in refused ? String(refused.message) : "";
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  return (await OutboxModel.findOne({ _id: id }).setOptions({ anyOwner: true }).lean())?.reason ?? "";
}

const message = (to: string[], cc: string[] = []) => ({
  from: { name: practice.practiceName, address: INES },
  to: to.map((address) => ({ address })),
  cc: cc.map((address) => ({ address })),
  subject: `Mediation at ${practice.practiceName}`,
  body: `<p>Hello</p><p><a href="https://example.org/x">${practice.practiceName}</a></p>`,
  attachments: [
    { mimeType: "text/plain", name: "Mediation agreement.txt", content: "eA==" },
    { mimeType: "text/calendar", name: "invite.ics", content: Buffer.from(anInvitation()).toString("base64") },
  ],
});

const anInvitation = () =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    "UID:1@example.org",
    "DTSTART:20310304T090000Z",
    "DTEND:20310304T100000Z",
    `SUMMARY:Mediation with ${practice.practiceName}`,
    `DESCRIPTION:Your mediation`,
    `ORGANIZER;CN=${practice.practiceName}:mailto:${INES}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");

/** Sends by the gateway call; the same answer. */
async function byFunction(to: string[], cc: string[] = [], person: { cookies(): string } = practice) {
  const response = await fetch(`${app.url}/functions/imap-send`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: JSON.stringify({ userId: practice.ownerId, message: message(to, cc) }),
  });
  const { error = "" } = (await response.json()) as { error?: string };
  return { status: response.status, error };
}

/** Sends a mailing and gives what became of each recipient. */
async function mailing(source: { kind: "csv"; csv: string } | { kind: "clients"; clientIds: string[] }) {
  const letter = {
    subject: `Mediation at ${practice.practiceName}`,
    body: richTextOf("We have moved."),
    perMinute: 0,
  };
  const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...letter, source });
  await practice.api.mailings.start.mutate({ id, changeId: newId() });
  await vi.waitFor(async () => expect((await practice.api.mailings.get.query({ id })).state).toMatch(/done|paused/), {
    timeout: 15_000,
    interval: 50,
  });
  const { items } = await practice.api.mailings.listItems.query({ mailingId: id, page: 1 });
  return items.map(({ address, state, reason }) => ({ address, state, reason }));
}

test("S68: whoever came first does not agree that the others are contacted, or is not safe, then no way of writing reaches them", async () => {
  const { theCase, second, p2 } = built;
  const say = (isAgreed: boolean) =>
    stored("cases").updateOne(
      { _id: theCase.id },
      {
        $set: {
          "parties.0.contactAgreement": { isAgreed, isNamed: false, on: "2026-01-05", byName: "Ines Marchbank" },
          "parties.1.status": "to_invite",
        },
      },
    );
  await say(false);
  const NOT_ASKED = /is not to be contacted/;
  const letter = { ...aLetter([second.email]), clientId: second.id };
  expect((await refusal(practice.api.compose.send.mutate(letter))).message).toMatch(NOT_ASKED);
  expect(await byFunction([second.email])).toMatchObject({ status: 409, error: expect.stringMatching(NOT_ASKED) });
  expect(await mailing({ kind: "clients", clientIds: [second.id] })).toMatchObject([{ state: "skipped" }]);
  const meeting = { caseId: theCase.id, partyIds: [p2.partyId], isInvitationSent: true };
  const booked = practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { ...meeting, type: "miam" }));
  expect((await refusal(booked)).message).toMatch(NOT_ASKED);
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(gotBy(second.email)).toEqual([]);
  await say(true);
  const found = (status: string) =>
    stored("cases").updateOne({ _id: theCase.id }, { $set: { "parties.0.status": status } });
  await found("not_suitable");
  expect((await refusal(practice.api.compose.send.mutate({ ...letter, id: newId() }))).message).toMatch(NOT_ASKED);
  await found("suitable");
  expect(await byFunction([second.email])).toMatchObject({ status: 200 });
  expect(gotBy(second.email)).toHaveLength(1);
});

describe("the other party", () => {
  const spellings = (address: string) => {
    const [local = "", domain = ""] = address.split("@");
    return [
      address.toUpperCase(),
      `${local}+letters@${domain}`,
      ` ${address} `,
      `${local.replace(/^o/, "ｏ")}@${domain}`,
      `${local}@example。org`,
    ];
  };

  test("S67 S68: in any spelling of the address, as To or Cc, nothing of one party's comes to the other", async () => {
    const { first, second } = built;
    for (const spelled of spellings(second.email)) {
      expect(await compose([spelled])).toContain("PARTY_LEAK");
      expect(await compose([first.email], [spelled])).toContain("PARTY_LEAK");
      expect(await byFunction([first.email], [spelled])).toMatchObject({
        status: 409,
        error: expect.stringContaining("different parties"),
      });
      expect(await byFunction([first.email, spelled])).toMatchObject({ status: 409 });
    }
    expect(smtp.received).toEqual([]);
  });

  test.each(["\u00AD", "\u200B", "\u2060", "\uFE0F", "\u202E"])(
    "S67: an address with the sign %j that nobody sees is refused by name everywhere",
    async (sign) => {
      const hidden = built.second.email.replace("o", `o${sign}`);
      expect(await compose([hidden])).toBeTruthy();
      expect((await byFunction([hidden])).status).toBe(400);
      const created = practice.api.clients.create.mutate(aClient({ email: hidden }));
      expect((await refusal(created)).fields).toMatchObject({ email: expect.any(String) });
      expect(await mailing({ kind: "csv", csv: `value\n${hidden}\nother@example.org` })).toContainEqual(
        expect.objectContaining({ state: "skipped", reason: expect.stringContaining("no email address") }),
      );
      expect(smtp.received.flatMap(({ to }) => to)).toEqual(["other@example.org"]);
    },
  );

  test("S68: another side's solicitor gets nothing either, and one's own does", async () => {
    const lawyers = await Promise.all(
      [built.p1, built.p2].map(async ({ partyId }, index) => {
        const email = `lawyer${index}@chambers.example.org`;
        const contact = { roles: ["solicitor" as const], title: "", firstName: "A", lastName: `Law${index}` };
        const rest = { organisation: "", phones: [], reference: "", referrerCode: "" as const, notes: "" };
        const address = { lines: [], postcode: "", country: "" };
        const { id } = await practice.api.contacts.create.mutate({ id: newId(), ...contact, ...rest, email, address });
        const link = { id, changeId: newId(), caseId: built.theCase.id, role: "solicitor" as const, partyId };
        await practice.api.contacts.link.mutate(link);
        return email;
      }),
    );
    const [own = "", other = ""] = lawyers;
    expect(await compose([built.first.email], [other])).toContain("PARTY_LEAK");
    expect(await byFunction([built.first.email], [other])).toMatchObject({ status: 409 });
    expect(await byFunction([own], [other])).toMatchObject({ status: 409 });
    expect(await compose([built.first.email], [own])).toBe("");
    expect(await byFunction([built.first.email], [own])).toMatchObject({ status: 200 });
    expect(gotBy(other)).toEqual([]);
  });

  test("S68: where two parties share one mailbox no way sends there, and a task says how to reach each", async () => {
    await change(built.second.id, { email: built.first.email.replace("@", "+owen@") });
    const { email } = built.first;
    expect(await compose([email])).toContain("PARTY_LEAK");
    expect(await byFunction([email])).toMatchObject({ status: 409, error: expect.stringContaining("share") });
    expect(await mailing({ kind: "csv", csv: `value\n${email}` })).toMatchObject([{ state: "skipped" }]);
    expect(await mailing({ kind: "clients", clientIds: [built.first.id] })).toMatchObject([{ state: "skipped" }]);
    const { theCase, p1, p2 } = built;
    const partyIds = [p1.partyId, p2.partyId];
    await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, { caseId: theCase.id, partyIds, isInvitationSent: true }),
    );
    moveTime(MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received).toEqual([]);
    const { items } = await practice.api.tasks.list.query({});
    expect(items.map(({ title }) => title).toSorted()).toEqual(
      ["P1", "P2"].map((label) => expect.stringMatching(`^Tell ${label} of the appointment .* another side.* Use `)),
    );
  });

  test("S68: a letter of one client goes to no other client, and by no way to another server", async () => {
    const other = await practice.api.clients.create.mutate(aClient({ email: "carl@example.org" }));
    expect(await compose([built.first.email], [other.email])).toContain("PARTY_LEAK");
    const [local = "", domain = ""] = built.second.email.split("@");
    for (const way of [`${local}%${domain}@practice.example.org`, `${domain}!${local}@practice.example.org`]) {
      expect(await compose([way])).toBeTruthy();
      expect((await byFunction([way])).status).toBe(400);
    }
    expect(smtp.received).toEqual([]);
  });

  test("S68: a refusal names nobody whom the sender may not know", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send"] });
    const { status, error } = await byFunction([built.first.email, built.second.email], [], person);
    expect(status).toBe(409);
    expect(error).not.toMatch(/Priya|Owen/);
  });
});

test("S68: whoever may not be emailed gets no mail by any way, and is said how to be reached", async () => {
  await restrict(built.first.id, { mayEmail: false, mayText: false, safeTimes: "weekdays 10 to 12" });
  const { email } = built.first;
  expect(await compose([email])).toMatch(/may not be emailed.*Use phone or post.*weekdays 10 to 12/s);
  expect((await byFunction([email])).error).toMatch(/may not be emailed\. Use phone or post\. Safe times: weekdays/);
  expect(await byFunction(["other@example.org"], [email])).toMatchObject({ status: 409 });
  for (const source of [
    { kind: "csv" as const, csv: `value\n${email.toUpperCase()}` },
    { kind: "csv" as const, csv: `value\n${email.replace("@", "+news@")}` },
    { kind: "clients" as const, clientIds: [built.first.id] },
  ])
    expect(await mailing(source)).toMatchObject([{ state: "skipped", reason: expect.stringContaining("emailed") }]);
  expect(smtp.received).toEqual([]);
});

describe("somebody who must be reached discreetly", () => {
  const everything = async (mail: { source: string } | undefined): Promise<Email & { outside: string }> => {
    const email = await PostalMime.parse(mail?.source ?? "", { attachmentEncoding: "utf8" });
    const files = email.attachments.flatMap(({ filename, content, mimeType }) => [
      filename,
      mimeType === "text/calendar" ? content : "",
    ]);
    const links = [...(email.html ?? "").matchAll(/<a\b[^>]*>([^]*?)<\/a>/g)].map(([, text]) => text);
    return { ...email, outside: JSON.stringify([email.from, email.subject, files, links]) };
  };

  test.each<[string, (email: string) => Promise<unknown>]>([
    ["compose", (email) => compose([email])],
    ["the gateway call", (email) => byFunction([email])],
    ["a mailing to a list", (email) => mailing({ kind: "csv", csv: `value\n${email}` })],
    ["a mailing to clients", () => mailing({ kind: "clients", clientIds: [built.first.id] })],
    [
      "an invitation",
      async () => {
        const { theCase, p1 } = built;
        await practice.api.meetings.create.mutate(
          aMeetingInput(practice.ownerId, { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true }),
        );
        moveTime(MINUTE_MS);
        await deliverCaseMail(log);
      },
    ],
  ])("S68: by %s nothing on the outside names the practice or what it does", async (_way, send) => {
    await restrict(built.first.id, { codeWord: "heron" });
    await send(built.first.email);
    const [mail, ...more] = gotBy(built.first.email);
    expect(more).toEqual([]);
    const { outside, from, attachments } = await everything(mail);
    expect(outside.replaceAll(/practice.example.org/g, "")).not.toMatch(/quillfeather|mediat/i);
    expect(from?.name).toBeTruthy();
    const calendar = attachments.find(({ mimeType }) => mimeType === "text/calendar");
    if (calendar) expect(calendar.content).toMatch(/UID:[^]*DTSTART:20310304T090000Z/);
  });

  test.each([
    ["a calendar under another type", { mimeType: "application/ics", name: "invite" }],
    ["a calendar under no type at all", { mimeType: "application/octet-stream", name: "file.bin" }],
    ["letters of another script", { mimeType: "text/plain", name: "M\u0435diation.pdf" }],
  ])("S68: %s tells nothing either", async (_what, file) => {
    await restrict(built.first.id, { codeWord: "heron" });
    const content = Buffer.from(anInvitation()).toString("base64");
    const body = '<a href="https://example.org">&#77;ediation</a>';
    const sent = { ...message([built.first.email]), body, attachments: [{ ...file, content }] };
    await fetch(`${app.url}/functions/imap-send`, {
      method: "POST",
      headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" },
      body: JSON.stringify({ userId: practice.ownerId, message: sent }),
    });
    const { html, attachments } = await everything(gotBy(built.first.email)[0]);
    expect(html).toContain(">Open the link</a>");
    const [attached] = attachments;
    expect(attached?.filename).not.toMatch(/diation/);
    if (file.mimeType !== "text/plain") expect(attached?.content).not.toMatch(/mediat|quillfeather/i);
  });

  test("S68: everybody else gets the practice's name, as before", async () => {
    await byFunction([built.first.email]);
    const { from, subject } = await everything(gotBy(built.first.email)[0]);
    expect([from?.name, subject]).toEqual([practice.practiceName, `Mediation at ${practice.practiceName}`]);
  });
});

test("S76: a gateway call that comes again under the same Idempotency-Key sends once, and answers the same", async () => {
  const key = newId();
  const call = async (to: string) => {
    const response = await fetch(`${app.url}/functions/imap-send`, {
      method: "POST",
      headers: {
        origin: app.url,
        cookie: practice.cookies(),
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ userId: practice.ownerId, message: message([to]) }),
    });
    return { status: response.status, body: await response.text() };
  };
  // Those that came while it was being sent may have been told that nobody knows yet.
  await Promise.all(Array.from({ length: 5 }, () => call(built.first.email)));
  const known = await call(built.first.email);
  expect(known.status).toBe(200);
  expect(await call(built.first.email)).toEqual(known);
  expect(gotBy(built.first.email)).toHaveLength(1);
  expect((await call("other@example.org")).status).toBe(409);
  const { items } = await practice.api.outbox.list.query({ clientId: built.first.id, page: 1 });
  expect(items).toMatchObject([{ state: "sent", to: built.first.email }]);
});

describe("what leaves later", () => {
  const inAnHour = () => new Date(Date.now() + 60 * MINUTE_MS).toISOString();
  async function withdraw() {
    const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
    const move = { id, version, partyId: built.p1.partyId, to: "withdrawn" as const };
    await practice.api.casework.moveParty.mutate({ ...move, on: "2026-01-05", reason: "They say so" });
  }
  const toldOf = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "the addressee may not be mailed any more",
      () => restrict(built.first.id, { mayEmail: false }),
      /may not be emailed/,
    ],
    ["the address is another's now", () => change(built.first.id, { email: "priya.new@example.org" }), /no longer/],
    [
      "the cc became the other party's address",
      () => change(built.second.id, { email: "aunt@example.org" }),
      /^aunt@example\.org cannot get this message/,
    ],
    ["the addressee withdrew from the case", () => withdraw(), /case that this was written for has changed/],
    [
      "the practice's subscription ended",
      () =>
        stored("customers").updateOne({ _id: practice.ownerId }, { $set: { "subscriptions.0.status": "past_due" } }),
      /subscription/,
    ],
  ])("S69: when %s, it stops and its writer is told", async (_what, happens, words) => {
    const letter = { ...aLetter([built.first.email], ["aunt@example.org"]), sendAt: inAnHour() };
    const { id } = await practice.api.compose.send.mutate(letter);
    await happens();
    moveTime(61 * MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received).toEqual([]);
    expect(await stored("email_messages").findOne({ _id: id })).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(words),
    });
    await stored("customers").updateOne({ _id: practice.ownerId }, { $set: { "subscriptions.0.status": "active" } });
    expect(await toldOf()).toEqual([expect.stringMatching(/^(A message did not leave|Tell Priya.* did not leave): /)]);
  });

  test.each<[string, (person: { email: string }) => Promise<unknown>]>([
    ["lost the permission to send", (person) => setPermissions(practice, person, ["clients.read"])],
    [
      "was taken off the case",
      (person) => setPermissions(practice, person, ["clients.read", "mail.send", "assigned_only"]),
    ],
    [
      "was suspended",
      async ({ email }) => {
        const { items } = await practice.api.staff.list.query();
        await practice.api.staff.suspend.mutate({ id: items.find((user) => user.email === email)?.id ?? "" });
      },
    ],
  ])("S69: when its writer %s, it stops", async (what, happens) => {
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "mail.send"] });
    await person.api.compose.send.mutate({ ...aLetter([built.first.email]), sendAt: inAnHour() });
    await happens(person);
    moveTime(61 * MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received).toEqual([]);
    // Whoever wrote it, and else the owner.
    const { items } = await (what === "lost the permission to send" ? person : practice).api.tasks.list.query({});
    expect(items.map(({ title }) => title)).toEqual([expect.stringMatching(/^A message did not leave: /)]);
  });

  test("S69: when nothing changed, it leaves", async () => {
    await practice.api.compose.send.mutate({ ...aLetter([built.first.email]), sendAt: inAnHour() });
    moveTime(61 * MINUTE_MS);
    await deliverCaseMail(log);
    expect(gotBy(built.first.email)).toHaveLength(1);
    expect(await toldOf()).toEqual([]);
  });
});

describe("whose mailbox it is", () => {
  test("S73: a colleague sends by it only while it is shared, reads it only while that is shared, and never otherwise", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "mail.read", "clients.read"] });
    const fetchAs = async () => {
      const response = await fetch(`${app.url}/functions/imap-fetch`, {
        method: "POST",
        headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
        body: JSON.stringify({ userId: practice.ownerId }),
      });
      return response.status;
    };
    expect((await byFunction(["other@example.org"], [], person)).status).toBe(200);
    expect(await fetchAs()).toBe(403);
    await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    expect((await byFunction(["other@example.org"], [], person)).status).toBe(403);
    // The IMAP server of this test is not there.
    expect(await fetchAs()).not.toBe(403);
    await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: false });
    expect(await fetchAs()).toBe(403);
  });

  test("S73: no client and no contact carries the address of somebody who works here, however it is written", async () => {
    for (const email of [practice.email, INES, INES.toUpperCase(), INES.replace("@", "+x@")]) {
      const created = refusal(practice.api.clients.create.mutate(aClient({ email })));
      expect((await created).fields).toMatchObject({ email: expect.stringContaining("works here") });
      const { version } = await practice.api.clients.get.query({ id: built.first.id });
      const update = { id: built.first.id, version, client: clientFields({ email }) };
      expect((await refusal(practice.api.clients.update.mutate(update))).code).toBe("BAD_REQUEST");
    }
    const invited = { id: newId(), firstName: "P", lastName: "N", role: 3 as const, email: built.first.email };
    expect((await refusal(practice.api.staff.invite.mutate(invited))).code).toBe("BAD_REQUEST");
  });
});
