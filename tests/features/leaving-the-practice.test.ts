// What leaves the practice for somebody who must hear nothing, or no longer: whoever was never asked, whoever was archived
// or has died, whoever has another address.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import type { Ending, PartyStatus } from "@app/shared/case-states";
import type { Meeting } from "@app/shared/meetings";
import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { INES } from "../support/mail/sending-practice.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, clientFields } from "../support/server/people.ts";
import { standingAt } from "../support/server/signed.ts";
import { DAY, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { toldToParty } from "../support/visibility/party-record.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNASKED = /is not to be contacted/;

let isBusy = false;
const smtp = anSmtpForAll({
  onRcptTo({ address }, _session, done) {
    if (address.startsWith("reject")) done(Object.assign(new Error("No such user here"), { responseCode: 550 }));
    else if (isBusy) done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
    else done();
  },
});
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));
beforeEach(async () => {
  isBusy = false;
  await connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: 1 });
});
afterEach(() => vi.restoreAllMocks());

type Built = Awaited<ReturnType<typeof aCase>>;
const nowCase = ({ theCase: { id } }: Built) => practice.api.cases.get.query({ id });
const at = async (built: Built) => {
  const { id, version } = await nowCase(built);
  return { id, version };
};
const standing = (built: Built, ...statuses: PartyStatus[]) => standingAt(practice, built.theCase.id, statuses);
const ofFirst = ({ p1: { partyId } }: Built) => ({ partyId, isNamed: false, on: DAY });
const agree = async (built: Built, isAgreed: boolean) =>
  practice.api.casework.recordContactAgreement.mutate({ ...(await at(built)), ...ofFirst(built), isAgreed });
const moveParty = async (built: Built, { partyId }: { partyId: string }, to: PartyStatus) =>
  practice.api.casework.moveParty.mutate({ ...(await at(built)), partyId, to, on: DAY, reason: "As it is" });
const end = async (built: Built, to: "not_proceeding" | "terminated", ending: Ending = "other") =>
  practice.api.casework.move.mutate({
    ...(await at(built)),
    to,
    reason: "As it is",
    ending,
    outcome: to === "terminated" ? { ...OUTCOME, issues: [] } : null,
  });
/** As cases ended in which nobody was named who died. */
const endByDeath = ({ theCase: { id } }: Built) =>
  CaseModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { status: "not_proceeding", ending: "died" } });
const archive = ({ id }: { id: string }) => practice.api.clients.setStatus.mutate({ ids: [id], status: "archived" });

async function setEmail({ id }: { id: string }, email: string): Promise<void> {
  const { version, firstName, lastName } = await practice.api.clients.get.query({ id });
  const client = clientFields({ email, firstName, lastName, phones: [] });
  await practice.api.clients.update.mutate({ id, version, client });
}

/** A letter of the case to a client of it, or about them to these. */
function letter(built: Built, to: "first" | "second", overrides: Partial<MailDraft> = {}) {
  const { id: clientId, email } = built[to];
  const draft = aLetterTo(email, { clientId, caseId: built.theCase.id, ...overrides });
  return practice.api.compose.send.mutate({ id: newId(), sendAt: null, ...draft });
}

/** Everything that is due after so long is tried, by whichever process takes it. */
async function deliver(afterMs = 2 * MINUTE_MS): Promise<void> {
  const at = moveTime(afterMs);
  await vi.waitFor(async () => {
    await deliverCaseMail(log);
    const mails = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
    const isOpen = ({ state, dueAt }: (typeof mails)[number]) =>
      state === "sending" || (state === "queued" && dueAt <= at);
    expect(mails.filter(isOpen)).toEqual([]);
  }, 10_000);
  vi.restoreAllMocks();
}

const aMailing = (source: { kind: "csv"; csv: string } | { kind: "clients"; clientIds: string[] }) =>
  practice.api.mailings.create.mutate({
    id: newId(),
    subject: "We move",
    body: richTextOf("Our new address is 4 Kiln Row."),
    perMinute: 0,
    source,
  });

/** Starts a mailing; gives what became of each address. */
async function started({ id }: { id: string }) {
  await practice.api.mailings.start.mutate({ id, changeId: newId() });
  await vi.waitFor(async () => expect((await practice.api.mailings.get.query({ id })).state).toMatch(/done|paused/), {
    timeout: 15_000,
    interval: 50,
  });
  const { items } = await practice.api.mailings.listItems.query({ mailingId: id, page: 1 });
  return Object.fromEntries(items.map(({ address, state }) => [address, state]));
}

const byFunction = async (...to: string[]) => (await sendByFunction(app, practice, INES, { to })).status;
const gotBy = ({ email }: { email: string }) => smtp.received.filter(({ to }) => to.includes(email)).length;
const stateOf = async (id: string) => (await practice.api.outbox.get.query({ id })).state;
const tasks = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title).join("\n");

const aMeeting = ({ theCase, p1, p2 }: Built, partyIds = [p1.partyId, p2.partyId], startsAt = "2031-03-04T09:00:00Z") =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { caseId: theCase.id, partyIds, startsAt, isInvitationSent: true }),
  );

describe("whoever was never asked", () => {
  /** By every way of writing. */
  async function isReached(built: Built): Promise<boolean[]> {
    const { second } = built;
    const wrote = await refusal(letter(built, "second"));
    if (wrote.code) expect(wrote.message).toMatch(UNASKED);
    const mailed = await started(await aMailing({ kind: "clients", clientIds: [second.id] }));
    return [!wrote.code, mailed[second.email] === "sent", (await byFunction(second.email)) === 200];
  }
  const BY_NONE = [false, false, false];
  const BY_ALL = [true, true, true];

  const lawyerOfSecond = async (built: Built, how: "named" | "linked" = "named") => {
    const { partyId, role } = built.p2;
    const email = `${newId().toLowerCase()}@law.example.org`;
    const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
    const link = { changeId: newId(), id, caseId: built.theCase.id, role: "solicitor" as const, partyId };
    const named = { partyId, role, side: "", consentedOn: "", representativeContactIds: [id] };
    if (how === "linked") await practice.api.contacts.link.mutate(link);
    else await practice.api.casework.updateParty.mutate({ ...(await at(built)), ...named });
    return email;
  };

  test.each<[string, (built: Built) => Promise<unknown>]>([
    ["said that the others are not contacted", (built) => agree(built, false)],
    ["was found not safe", (built) => moveParty(built, built.p1, "not_suitable")],
  ])("when whoever came first %s, and then withdrew, then no way of writing reaches them", async (_how, happens) => {
    const built = await aCase(practice);
    await standing(built, "miam_attended", "to_invite");
    const lawyer = await lawyerOfSecond(built);
    await happens(built);
    await moveParty(built, built.p1, "withdrawn");
    expect(await isReached(built)).toEqual(BY_NONE);
    expect((await refusal(letter(built, "second", { to: [{ name: "", address: lawyer }] }))).message).toMatch(UNASKED);
    expect(await byFunction(lawyer)).toBe(409);
    expect((await refusal(aMeeting(built, [built.p2.partyId]))).message).toMatch(UNASKED);
    await deliver();
    expect(smtp.received).toEqual([]);
  });

  test("compose: when whoever came first does not agree, then a letter for them goes to no address, nor to who was their solicitor", async () => {
    const built = await aCase(practice);
    const lawyer = await lawyerOfSecond(built, "linked");
    await agree(built, false);
    const { id: ofCase } = built.theCase;
    const [contact] = (await practice.api.contacts.ofCase.query({ id: ofCase })).items;
    const link = { id: contact?.contactId ?? "", caseId: ofCase, partyId: built.p2.partyId };
    await practice.api.contacts.unlink.mutate({ ...link, role: "solicitor" });
    expect(await byFunction(lawyer)).toBe(409);
    expect((await refusal(letter(built, "second", { to: [{ name: "", address: lawyer }] }))).message).toMatch(UNASKED);
    for (const caseId of [ofCase, null]) {
      const elsewhere = letter(built, "second", { caseId, to: [{ name: "", address: "work@elsewhere.example.org" }] });
      expect((await refusal(elsewhere)).message).toMatch(UNASKED);
    }
  });

  test("when whoever came first does not agree, and they are entered as withdrawn without having answered, then no way of writing reaches them", async () => {
    const built = await aCase(practice);
    await agree(built, false);
    await moveParty(built, built.p2, "withdrawn");
    expect(await isReached(built)).toEqual(BY_NONE);
  });

  test.each([
    ["as somebody who asked", { role: "initiator" as const, side: "" }],
    ["on the side of whoever came first", { role: "respondent" as const, side: "One" }],
  ])(
    "casework.updateParty: when whoever came first does not agree, then they are not entered %s",
    async (_as, entered) => {
      const built = await aCase(practice);
      const { partyId, role } = built.p1;
      const rest = { consentedOn: "", representativeContactIds: [] };
      await practice.api.casework.updateParty.mutate({ ...(await at(built)), partyId, role, side: "One", ...rest });
      await agree(built, false);
      const other = { ...(await at(built)), partyId: built.p2.partyId, ...entered, ...rest };
      expect(await refusal(practice.api.casework.updateParty.mutate(other))).toMatchObject({
        fields: { role: expect.stringContaining("could be contacted") },
      });
      expect(await isReached(built)).toEqual(BY_NONE);
    },
  );

  test("imap-send: when whoever came first does not agree, then a solicitor who is only linked to the case for them gets nothing", async () => {
    const built = await aCase(practice);
    const lawyer = await lawyerOfSecond(built, "linked");
    await agree(built, false);
    expect((await refusal(letter(built, "second", { to: [{ name: "", address: lawyer }] }))).message).toMatch(UNASKED);
    expect(await byFunction(lawyer)).toBe(409);
  });

  test("when whoever came first withdrew and another answered, then a no still keeps them from being written to, and a yes does not", async () => {
    for (const isAgreed of [false, true]) {
      const built = await aCase(practice);
      const third = await aCase(practice);
      const party = { clientId: third.first.id, role: "respondent" as const, side: "" };
      await practice.api.casework.addParty.mutate({ ...(await at(built)), changeId: newId(), party });
      await agree(built, isAgreed);
      await standing(built, "miam_attended", "to_invite", "responded");
      await moveParty(built, built.p1, "withdrawn");
      expect(await isReached(built)).toEqual(isAgreed ? BY_ALL : BY_NONE);
    }
  });

  test("when whoever came first agrees, then they and their solicitor are written to, and invited to a meeting", async () => {
    const built = await aCase(practice);
    const lawyer = await lawyerOfSecond(built);
    expect(await isReached(built)).toEqual(BY_ALL);
    expect(await byFunction(lawyer)).toBe(200);
    expect(await byFunction(await lawyerOfSecond(built, "linked"))).toBe(200);
    await letter(built, "second", { to: [{ name: "", address: lawyer }] });
    await aMeeting(built, [built.p2.partyId]);
    await deliver();
    expect([gotBy({ email: lawyer }), gotBy(built.second)]).toEqual([2, 4]);
  });

  test("when nobody recorded whether whoever came first agrees, then nothing reaches them until they do", async () => {
    const built = await aCase(practice, {}, { isAgreed: false });
    expect(await isReached(built)).toEqual(BY_NONE);
    await letter(built, "first");
    await agree(built, true);
    expect(await isReached(built)).toEqual(BY_ALL);
  });

  test("when the case was ended early, then nothing reaches them any more, and whoever was asked is written to still", async () => {
    const built = await aCase(practice);
    await end(built, "not_proceeding");
    expect(await isReached(built)).toEqual(BY_NONE);
    const asked = await aCase(practice);
    await standing(asked, "responded", "invited");
    await end(asked, "not_proceeding");
    expect(await isReached(asked)).toEqual(BY_ALL);
  });
});

test("partyView.preview and the record: a letter about a client that went to somebody else, then neither has its words; what they got themselves is in both", async () => {
  const built = await aCase(practice);
  const worker = "worker@council.example.org";
  const toWorker = { to: [{ name: "", address: worker }], saysNothingTo: [worker] };
  await letter(built, "first", { ...toWorker, body: richTextOf("heronwords") });
  await letter(built, "first", { body: richTextOf("wrenwords") });
  await deliver();
  expect([gotBy({ email: worker }), gotBy(built.first)]).toEqual([1, 1]);
  const told = await toldToParty(app, practice, built.theCase.id, built.p1);
  expect(told).not.toContain("heronwords");
  expect(told.match(/wrenwords/g)?.length).toBeGreaterThan(1);
});

test.each<[string, (built: Built) => Promise<unknown>, "sent" | "failed"]>([
  ["its client is archived", ({ first }) => archive(first), "failed"],
  ["the case ends because somebody died", endByDeath, "failed"],
  ["the case ends for another reason", (built) => end(built, "not_proceeding"), "sent"],
  ["the other client is archived", ({ second }) => archive(second), "sent"],
])("delivery: a letter that waits, when %s meanwhile, then it is $2", async (_how, happens, state) => {
  const built = await aCase(practice);
  const { id } = await letter(built, "first");
  await happens(built);
  await deliver();
  expect(await stateOf(id)).toBe(state);
  expect(gotBy(built.first)).toBe(state === "sent" ? 1 : 0);
  if (state === "failed") expect(await tasks()).toContain("A message did not leave");
});

describe("what is told of a meeting and waits", () => {
  const mediating = async () => {
    const built = await aCase(practice);
    const stored = { consentedOn: DAY, representativeContactIds: [], side: "" };
    for (const { partyId, role } of [built.p1, built.p2])
      await practice.api.casework.updateParty.mutate({ ...(await at(built)), ...stored, partyId, role });
    await standing(built, "active", "active");
    return built;
  };
  const endMediation = async (built: Built) => {
    const begun = { $set: { status: "in_mediation" as const } };
    await CaseModel.updateOne({ _id: built.theCase.id, ownerId: practice.ownerId }, begun);
    return end(built, "terminated");
  };
  const SAID = { reason: "Ill", isLate: false, isWholeSeries: false };
  const cancel = ({ id, version }: Meeting) =>
    practice.api.meetings.cancel.mutate({ id, version, changeId: newId(), ...SAID });
  const soon = (hours = 0) => new Date(Date.now() + 20 * DAY_MS + hours * 60 * MINUTE_MS).toISOString();
  const BOTH = [1, 1];
  const NOBODY = [0, 0];
  const ENDS: [string, (built: Built) => Promise<unknown>, number[]][] = [
    ["nothing happens", async () => undefined, BOTH],
    ["the case does not proceed", (built) => end(built, "not_proceeding"), NOBODY],
    ["mediation ends without agreement", (built) => endMediation(built), NOBODY],
    ["one client is archived", ({ first }) => archive(first), [0, 1]],
    ["one side leaves", (built) => moveParty(built, built.p2, "withdrawn"), NOBODY],
  ];

  test.each(ENDS)("an invitation, when %s, then it leaves to: $2", async (_how, happens, got) => {
    const built = await mediating();
    isBusy = true;
    await aMeeting(built);
    await deliver(0);
    await happens(built);
    isBusy = false;
    await deliver();
    expect([gotBy(built.first), gotBy(built.second)]).toEqual(got);
  });

  test.each(ENDS)("a reminder, when %s before or after, then it leaves to: $2", async (_how, happens, got) => {
    for (const isBefore of [true, false]) {
      const built = await mediating();
      isBusy = false;
      await aMeeting(built, undefined, isBefore ? soon() : soon(2));
      await deliver(0);
      expect([gotBy(built.first), gotBy(built.second)]).toEqual(BOTH);
      smtp.received.length = 0;
      isBusy = true;
      if (isBefore) await happens(built);
      moveTime(19.5 * DAY_MS);
      await remindOfMeetings(log);
      await deliver(19.5 * DAY_MS);
      if (!isBefore) await happens(built);
      isBusy = false;
      await deliver(19.5 * DAY_MS + 2 * MINUTE_MS);
      expect([gotBy(built.first), gotBy(built.second)]).toEqual(got);
    }
  });

  test.each([
    ["for another reason", BOTH],
    ["because somebody died", NOBODY],
  ] as const)("a cancellation, when the case ends %s, then it leaves to: %j", async (_why, got) => {
    const steps = [
      (built: Built) => (got === NOBODY ? endByDeath(built) : end(built, "not_proceeding")),
      (_built: Built, meeting: Meeting) => cancel(meeting),
    ];
    for (const order of [steps, steps.toReversed()]) {
      const built = await mediating();
      const meeting = await aMeeting(built, undefined, order === steps ? soon() : soon(2));
      await deliver(0);
      smtp.received.length = 0;
      isBusy = true;
      for (const step of order) await step(built, meeting);
      isBusy = false;
      await deliver();
      expect([gotBy(built.first), gotBy(built.second)]).toEqual(got);
    }
  });
});

describe("an address that a client left", () => {
  test("mailings.start: a list that was made while it was theirs, when it is somebody else's by then, then it does not go there, and to all others it does", async () => {
    const { first, second } = await aCase(practice);
    const before = first.email;
    const { first: steady } = await aCase(practice);
    const mailing = await aMailing({ kind: "csv", csv: `value\n${before}\n${steady.email}\nnobody@example.org` });
    await setEmail(first, `new.${before}`);
    await setEmail(second, before);
    expect(await started(mailing)).toEqual({
      [before]: "skipped",
      [steady.email]: "sent",
      "nobody@example.org": "sent",
    });
    expect(gotBy({ email: before })).toBe(0);
  });

  test("mailings.start and imap-send: when nobody has it now, then neither goes there, and both go to the new one", async () => {
    const { first } = await aCase(practice);
    const before = first.email;
    const after = `new.${before}`;
    await setEmail(first, after);
    expect(await started(await aMailing({ kind: "csv", csv: `value\n${before}\n${after}` }))).toEqual({
      [before]: "skipped",
      [after]: "sent",
    });
    expect(await byFunction(before)).toBe(409);
    expect(await byFunction(after)).toBe(200);
  });
});

describe("compose.send: an invitation", () => {
  const invited = async (email?: string) => {
    const built = await aCase(practice);
    await mayContact(built.theCase);
    if (email) await setEmail(built.second, email);
    const second = { ...built.second, email: email ?? built.second.email };
    const { id } = await letter({ ...built, second }, "second", { isInvitation: true });
    expect(await statusOf(built)).toBe("invited");
    return { built, id };
  };
  const statusOf = async (built: Built) => (await nowCase(built)).parties[1]?.status;

  test("when it fails for good, then nobody was invited by it", async () => {
    const { built, id } = await invited(`reject.${newId().toLowerCase()}@example.org`);
    await deliver();
    expect(await stateOf(id)).toBe("failed");
    expect(await statusOf(built)).toBe("to_invite");
  });

  test("when whoever came first takes back that the others are contacted, then nobody was invited by it, and it does not leave later", async () => {
    const { built, id } = await invited();
    await agree(built, false);
    await deliver();
    expect([await stateOf(id), await statusOf(built), gotBy(built.second)]).toEqual(["failed", "to_invite", 0]);
    await agree(built, true);
    await practice.api.outbox.retry.mutate({ id, changeId: newId() });
    await deliver();
    expect([await stateOf(id), await statusOf(built), gotBy(built.second)]).toEqual(["failed", "to_invite", 0]);
  });

  test("when nothing happens, then it leaves, and they are invited", async () => {
    const { built, id } = await invited();
    await deliver();
    expect([await stateOf(id), await statusOf(built), gotBy(built.second)]).toEqual(["sent", "invited", 1]);
  });
});
