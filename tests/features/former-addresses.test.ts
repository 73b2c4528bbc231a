// An address that somebody left: their mail may still come there, so it does not get the other side's.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { DEFAULT_SAFE_CONTACT, type SafeContact } from "@app/shared/clients";
import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { afterEach, expect, test, vi } from "vitest";
import { aContact, contactFields } from "../support/access/contacts-access.ts";
import { aCase, clientFields } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;
const SAFE = "pia@safe.example.org";

/** The first is who is written to, the second is Pia, who left an address. */
const { smtp, app, practice } = aSendingPractice();
const built = forEachTest(() => aCase(practice));
afterEach(() => vi.restoreAllMocks());

/** As the client's page would save it. */
async function moveTo(email: string, { id, safe = {} }: { id?: string; safe?: Partial<SafeContact> } = {}) {
  const clientId = id ?? built.second.id;
  const { version, ...client } = await practice.api.clients.get.query({ id: clientId });
  const { firstName, lastName } = client;
  const fields = clientFields({ firstName, lastName, email, safeContact: { ...DEFAULT_SAFE_CONTACT, ...safe } });
  await practice.api.clients.update.mutate({ id: clientId, version, client: fields });
}

const aDraft = (overrides: Partial<MailDraft> = {}): MailDraft =>
  aLetterTo(built.first.email, {
    clientId: built.first.id,
    caseId: built.theCase.id,
    cc: [{ name: "", address: SAFE }],
    ...overrides,
  });
const problemsOf = async (draft = aDraft()) => (await practice.api.compose.check.mutate(draft)).problems;
const codesOf = async (draft = aDraft()) => (await problemsOf(draft)).map(({ code }) => code);
const stored = (name: string) => mongoose.connection.collection<{ _id: string; formerMailboxes?: string[] }>(name);

async function byFunction(to: string[], cc: string[]) {
  const response = await sendByFunction(app, practice, INES, { to, cc });
  return `${response.status} ${await response.text()}`;
}

test("S68: an address that the other party left, however it is spelled, gets nothing of this one's by any way, and nobody is named", async () => {
  await moveTo(SAFE);
  await moveTo("pia@future.example.org");
  const { displayName } = await practice.api.clients.get.query({ id: built.second.id });
  for (const address of [SAFE, "PIA+post@Safe.example.org", built.second.email]) {
    const draft = aDraft({ cc: [{ name: "", address }] });
    const problems = await problemsOf(draft);
    expect(problems.map(({ code }) => code)).toEqual(["other_party"]);
    const refused = await refusal(practice.api.compose.send.mutate({ id: newId(), ...draft, sendAt: null }));
    const byCall = await byFunction([built.first.email], [address]);
    expect(byCall).toMatch(/^409 /);
    expect(`${JSON.stringify(problems)} ${refused.message} ${byCall}`).not.toContain(displayName.split(" ")[1]);
  }
  expect(smtp.received).toEqual([]);
});

test("S68: an address that a party left, gets not even a letter of theirs, which goes to the one that they have now", async () => {
  await moveTo(SAFE);
  await moveTo("pia@future.example.org");
  const own = { clientId: built.second.id, to: [{ name: "", address: "pia@future.example.org" }] };
  expect(await codesOf(aDraft(own))).toEqual(["other_party"]);
  expect(await codesOf(aDraft({ ...own, cc: [] }))).toEqual([]);
});

test("an address that a contact left gets nothing any more", async () => {
  const { id } = await practice.api.contacts.create.mutate(aContact({ email: "law@old.example.org" }));
  const { version } = await practice.api.contacts.get.query({ id });
  const contact = contactFields({ email: "law@new.example.org" });
  await practice.api.contacts.update.mutate({ id, version, contact });
  expect(await codesOf(aDraft({ cc: [{ name: "", address: "law@old.example.org" }] }))).toEqual(["other_party"]);
  expect(await byFunction(["law@old.example.org"], [])).toMatch(/^409 /);
});

test("S68: an address that a client or a contact left, when somebody is invited with it, is refused in the words for any of theirs, and still gets nothing", async () => {
  await moveTo(SAFE);
  await moveTo("pia@future.example.org");
  const { id } = await practice.api.contacts.create.mutate(aContact({ email: "law@old.example.org" }));
  const { version } = await practice.api.contacts.get.query({ id });
  const contact = contactFields({ email: "law@new.example.org" });
  await practice.api.contacts.update.mutate({ id, version, contact });
  const invite = (email: string) =>
    refusal(practice.api.staff.invite.mutate({ id: newId(), email, firstName: "Tom", lastName: "Birch", role: 3 }));
  const ofToday = await invite("pia@future.example.org");
  expect(ofToday.code).toBe("BAD_REQUEST");
  for (const left of [SAFE, "PIA+post@safe.example.org", "law@old.example.org"]) {
    expect(await invite(left)).toEqual(ofToday);
    expect(await byFunction([left], [])).toMatch(/^409 /);
  }
});

test("S68: an address that a party left, when it is somebody else's today, counts as theirs", async () => {
  await moveTo(SAFE);
  await moveTo("pia@future.example.org");
  await practice.api.contacts.create.mutate(aContact({ email: SAFE }));
  expect(await codesOf()).toEqual([]);
});

test("S68: an address that the other party's solicitor left, when this party's mail goes there too, keeps it", async () => {
  const solicitor = await practice.api.contacts.create.mutate(aContact({ email: SAFE }));
  const link = { id: solicitor.id, caseId: built.theCase.id, role: "counsel", partyId: built.p2.partyId } as const;
  await practice.api.contacts.link.mutate({ changeId: newId(), ...link });
  const { version } = await practice.api.contacts.get.query({ id: solicitor.id });
  const contact = contactFields({ email: "harriet@new.example.org" });
  await practice.api.contacts.update.mutate({ id: solicitor.id, version, contact });
  expect(await codesOf()).toEqual(["other_party"]);
  const answers = JSON.stringify([
    await practice.api.contacts.get.query({ id: solicitor.id }),
    await practice.api.contacts.list.query({ search: "safe.example" }),
  ]);
  expect(answers).not.toContain("safe.example");
});

test("S68: a mail to an address that its reader left meanwhile, when it is due, still does not go there", async () => {
  await moveTo(SAFE);
  const own = { clientId: built.second.id, to: [{ name: "", address: SAFE }], cc: [] };
  const { id } = await practice.api.compose.send.mutate({ id: newId(), ...aDraft(own), sendAt: null });
  await moveTo("pia@future.example.org");
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  expect(smtp.received).toEqual([]);
  const { items } = await practice.api.outbox.list.query({ clientId: built.second.id });
  expect(items.find((mail) => mail.id === id)?.reason).toContain("no longer the address");
});

test("S68: an address that somebody left who may not be mailed, when a list has it, gets nothing and names nobody", async () => {
  await moveTo(SAFE);
  await moveTo("pia@future.example.org", { safe: { mayEmail: false } });
  const letter = { subject: "We move", body: richTextOf("To 4 Kiln Row."), perMinute: 0 };
  const source = { kind: "csv" as const, csv: `value\n${SAFE}\n` };
  const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...letter, source });
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  await vi.waitFor(async () => expect((await practice.api.mailings.get.query({ id })).state).toBe("done"), {
    timeout: 15_000,
    interval: 50,
  });
  expect(smtp.received).toEqual([]);
});

test("S70: an address that a client left, when somebody looks for it, stands in no answer, search or export", async () => {
  await moveTo(SAFE);
  await moveTo("pia@future.example.org");
  const { id } = built.second;
  const { api } = practice;
  const csv = await fetch(`${app.url}/export/clients.csv`, { headers: { cookie: practice.cookies() } });
  expect(csv.status).toBe(200);
  const answers = JSON.stringify([
    await api.clients.get.query({ id }),
    await api.clients.list.query({}),
    await api.clients.list.query({ search: SAFE }),
    await api.timeline.list.query({ clientId: id, page: 1 }),
    await api.compose.start.query({ clientId: built.first.id, caseId: built.theCase.id }),
    await csv.text(),
  ]);
  expect(answers).toContain("pia@future.example.org");
  expect(answers).not.toContain("safe.example");
});

test("S68: the addresses that a client left, when they are very many, are kept in their compared form, the last twenty", async () => {
  for (let number = 1; number <= 24; number += 1) await moveTo(`Pia${number}+x@gmail.com`);
  await moveTo("pia24+y@googlemail.com");
  await moveTo("");
  const kept = (await stored("clients").findOne({ _id: built.second.id }))?.formerMailboxes ?? [];
  expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => `pia${index + 5}@gmail.com`));
});
