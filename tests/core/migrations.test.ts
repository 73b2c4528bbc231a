import { newId } from "@app/server/core/ids";
import { forParty, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { formerMailboxesOfClients, oneFormOfClientAddresses } from "@app/server/features/clients/clients.migration";
import { linesThatNameOthers } from "@app/server/features/history/history.migration";
import { oneFormOfUserAddresses } from "@app/server/features/users/users.migration";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { sequencesOfParties, uidsOfMeetings } from "@app/server/features/meetings/meetings.migration";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { aCase, aClient, aMeetingInput, aPractice, aStaffUser, aVisitor, PASSWORD } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const SHY = "\u00AD";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const log = createLogger("silent");
const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);
/** A line of the history of this practice. */
const aLine = (
  text: string,
  kind: string,
  place: { caseId: string | null; clientIds: string[]; visibility: Visibility },
) => ({
  _id: newId(),
  ownerId: practice.ownerId,
  at: new Date(),
  kind,
  text,
  actorName: "Ines",
  ...place,
});

test("S67: what was stored before addresses had one form is brought into it, once, and nothing of it is lost", async () => {
  const { id: shy } = await practice.api.clients.create.mutate(aClient());
  const { id: gone } = await practice.api.clients.create.mutate(aClient());
  await stored("clients").updateOne({ _id: shy }, { $set: { email: `pri${SHY}ya@BÜCHER.example`, matchKeys: [] } });
  await stored("clients").updateOne({ _id: gone }, { $set: { email: "priya@under_score.example" } });
  await stored("users").updateOne({ _id: practice.ownerId }, { $set: { email_address: `ow${SHY}ner@bücher.example` } });
  await stored("mail_suppressions").insertOne({
    _id: "s1",
    ownerId: practice.ownerId,
    address: "a@BÜCHER.example",
    reason: "unsubscribed",
    createdAt: new Date(),
  });

  await migrate(MIGRATIONS, log);
  await migrate(MIGRATIONS, log);

  expect((await practice.api.clients.get.query({ id: shy })).email).toBe("priya@xn--bcher-kva.example");
  const unusable = await practice.api.clients.get.query({ id: gone });
  expect(unusable.email).toBe("");
  expect(unusable.safeContact.note).toBe("Former address: priya@under_score.example");
  expect(await stored("users").findOne({ _id: practice.ownerId })).toMatchObject({
    email_address: "owner@xn--bcher-kva.example",
  });
  expect(await stored("mail_suppressions").findOne({ _id: "s1" })).toMatchObject({
    address: "a@xn--bcher-kva.example",
  });
  expect(await stored("migrations").countDocuments()).toBe(MIGRATIONS.length);
});

test("S72: lines of a party that name others, once the data is brought up to date, are the practice's, and no others", async () => {
  const { theCase, p1 } = await aCase(practice);
  const place = { caseId: theCase.id, clientIds: [p1.clientId], visibility: forParty(p1.partyId) };
  const line = (text: string, kind: string) => aLine(text, kind, place);
  const own = [
    "P1: Responded",
    "P1 invited by email",
    "Certificate EVE-C0001 issued",
    "Certificate EVE-C0001 used",
    "Certificate EVE-C0001 declared void",
  ];
  await stored("history").insertMany([
    ...own.map((text) => line(text, "case")),
    line("Rhea Refugeworker added: other", "case"),
    line("Rhea Refugeworker taken off: other", "case"),
    line("Certificate Advice Ltd added: other", "case"),
    line("Message sent to Priya, Rhea Refugeworker", "mail"),
  ]);
  await linesThatNameOthers();
  await linesThatNameOthers();
  const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p1.partyId });
  const told = items.filter(({ kind }) => kind === "history").map(({ title }) => title);
  // Whoever reads their own record is told nothing of P1.
  expect(told.toSorted()).toEqual(["Responded", "Invited by email", ...own.slice(2)].toSorted());
  const { items: kept } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
  expect(kept.filter(({ text }) => /Rhea|Advice/.test(text))).toHaveLength(4);
});

test("S67: an address that cannot be used, when the note has no room for it, is kept all the same", async () => {
  const clients = [
    { note: "n".repeat(498), needs: "" },
    { note: "n".repeat(500), needs: "m".repeat(495) },
  ];
  const seen = [];
  for (const { note, needs } of clients) {
    const { id } = await practice.api.clients.create.mutate(aClient({ needs }));
    const former = "priya@under_score.example";
    await stored("clients").updateOne({ _id: id }, { $set: { email: former, "safeContact.note": note } });
    await oneFormOfClientAddresses(log);
    const client = await practice.api.clients.get.query({ id });
    expect(client.safeContact.note).toBe(note);
    await formerMailboxesOfClients();
    expect(await stored("clients").findOne({ _id: id })).toMatchObject({
      email: "",
      formerEmail: former,
      formerMailboxes: [former],
    });
    seen.push(client.needs);
  }
  expect(seen).toEqual(["Former address: priya@under_score.example", "m".repeat(495)]);
});

test.each([
  ["cannot be brought into one form", () => "owner@under_score.example"],
  ["is another account's in its one form", () => `owner${SHY}9@bücher.example`],
])("S67: an account whose address %s, when its owner enters it, signs in and gets a link", async (_why, spell) => {
  const own = await aPractice(app);
  const other = await aPractice(app);
  const spelling = spell();
  const users = mongoose.connection.collection<{ _id: string; password_resets?: unknown[] }>("users");
  await users.updateOne({ _id: other.ownerId }, { $set: { email_address: "owner9@xn--bcher-kva.example" } });
  await users.updateOne({ _id: own.ownerId }, { $set: { email_address: spelling } });
  await oneFormOfUserAddresses(log);
  const visitor = aVisitor(app);
  expect(await visitor.api.auth.signIn.mutate({ email: ` ${spelling}`, password: PASSWORD })).toEqual({ next: "done" });
  expect((await visitor.api.auth.status.query()).user?.ownerId).toBe(own.ownerId);
  await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: spelling });
  await vi.waitFor(async () => expect((await users.findOne({ _id: own.ownerId }))?.password_resets).toHaveLength(1), {
    timeout: 10_000,
    interval: 100,
  });
  await users.deleteMany({ _id: { $in: [own.ownerId, other.ownerId] } });
});

test("S70: what told of a screening or a mailing before it was marked, when it is brought in, is left out for others", async () => {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const place = { caseId: null, clientIds: [clientId], visibility: PRACTICE_ONLY };
  const line = (text: string, kind: string) => aLine(text, kind, place);
  await stored("history").insertMany([
    line("P1 screened for safety and suitability", "case"),
    line("Task added: Safety: decide what follows from the screening of P1", "task"),
    line("Mailing “We move”", "mail"),
    line("Message sent to Priya", "mail"),
  ]);
  const links = { clientId, caseId: null, dueOn: null, assigneeId: practice.ownerId };
  for (const title of ["Safety: decide what follows from the screening of P1", "Chase figures"])
    await practice.api.tasks.create.mutate({ id: newId(), ...links, title });
  await stored("migrations").deleteMany({});
  await migrate(MIGRATIONS, log);
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const told = (await staff.api.timeline.list.query({ clientId, page: 1 })).items.map(({ text }) => text);
  expect(told.toSorted()).toEqual(["Message sent to Priya", "Task added: Chase figures"]);
  const tasks = await staff.api.tasks.list.query({ page: 1 });
  expect(tasks.items.map(({ title }) => title)).toEqual(["Chase figures"]);
  expect((await practice.api.tasks.list.query({ page: 1 })).items).toHaveLength(2);
});

test("S78: a meeting of before, when it is brought in, keeps the names under which calendars know it, and later parties get secret ones", async () => {
  const own = await aPractice(app);
  const { theCase, first, p1, p2 } = await aCase(own);
  const input = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
  const { id } = await own.api.meetings.create.mutate(aMeetingInput(own.ownerId, input));
  await stored("meetings").updateOne({ _id: id }, [
    { $set: { icsUid: `${id}@evenhand` } },
    { $unset: ["uids", "claims"] },
  ]);
  await uidsOfMeetings(log);
  await uidsOfMeetings(log);
  const meeting = await stored("meetings").findOne({ _id: id });
  const kept = { partyId: p1.partyId, uid: `${id}@evenhand-p1`, sequence: 0 };
  expect(meeting?.["uids"]).toEqual([kept]);
  expect(meeting).not.toHaveProperty("icsUid");
  const { type, title, location, mediatorIds, arrivals, note } = await own.api.meetings.get.query({ id });
  const details = { type, title, location, mediatorIds, arrivals, note };
  await own.api.meetings.update.mutate({ id, version: 0, ...details, partyIds: [p1.partyId, p2.partyId] });
  const uids = (await stored("meetings").findOne({ _id: id }))?.["uids"];
  expect(uids).toEqual([kept, { partyId: p2.partyId, uid: expect.stringMatching(/^[\w-]{43}$/), sequence: 0 }]);
  await own.api.meetings.cancel.mutate({
    changeId: newId(),
    id,
    version: 1,
    reason: "Ill",
    isLate: false,
    isWholeSeries: false,
  });
  const mails = await OutboxModel.find({ ownerId: own.ownerId, clientId: first.id, purpose: "cancellation" }).lean();
  const [attached] = mails.flatMap((mail) => contentOf(mail).attachments);
  expect(attached?.content.replace(/\r\n /g, "")).toContain(`UID:${id}@evenhand-p1\r\n`);
});

test("a meeting of before, when it is brought in, has the count of its changes with each party, and answers to it still stand", async () => {
  const own = await aPractice(app);
  const { theCase, p1, p2 } = await aCase(own);
  const partyIds = [p1.partyId, p2.partyId];
  const { id } = await own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { caseId: theCase.id, partyIds }));
  const said = { partyId: p1.partyId, reply: "accepted" };
  await stored("meetings").updateOne({ _id: id }, [
    { $set: { icsSequence: 3, replies: [{ ...said, sequence: 3 }] } },
    { $unset: ["uids.sequence"] },
  ]);
  await sequencesOfParties(log);
  await sequencesOfParties(log);
  const meeting = await stored("meetings").findOne({ _id: id });
  expect(meeting?.["uids"]).toMatchObject(partyIds.map((partyId) => ({ partyId, sequence: 3 })));
  expect(meeting).not.toHaveProperty("icsSequence");
  expect((await own.api.meetings.get.query({ id })).replies).toEqual([said]);
});
