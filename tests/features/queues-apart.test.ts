// One bad item in the middle of good ones: the others go on, and it stands where whoever can act looks.
import { Readable } from "node:stream";
import { apart } from "@app/server/core/apart";
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { listAside } from "@app/server/core/set-aside";
import { remindOfCertificates } from "@app/server/features/certificates/certificate-reminders";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import { storeFile } from "@app/server/features/files/files.service";
import { sweepFiles } from "@app/server/features/files/file-sweeper";
import { runMailing } from "@app/server/features/mailings/mailing-run";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { HOUR_MS, DAY_MS } from "@app/server/core/clock";
import { stopJobs } from "@app/server/core/jobs";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { afterEach, expect, test, vi } from "vitest";
import { imported } from "../support/hostile/import-uploads.ts";
import { aCase, aClient, aMeetingInput, scopeOf } from "../support/server/people.ts";
import { moveTime } from "../support/access/refusal.ts";
import { passTime } from "../support/clocks/sure-clock.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";

const log = createLogger("silent");
const { app, practice } = aSendingPractice();
afterEach(() => vi.restoreAllMocks());

const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);
const taskTitles = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);
/** What is set aside of these, by its key. */
const asideOf = async (queue: string, keys: string[]) =>
  (await listAside(queue)).map(({ key }) => key).filter((key) => keys.includes(key));

async function meetingsOfTomorrow(count: number) {
  const { theCase, p1 } = await aCase(practice);
  const meetings = [];
  for (let at = 0; at < count; at += 1) {
    const startsAt = new Date(Date.now() + 20 * DAY_MS + at * 2 * HOUR_MS).toISOString();
    const input = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true, startsAt };
    meetings.push(await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input)));
  }
  return meetings.map(({ id }) => id);
}

test("S77: reminders of meetings, when the first cannot be made, go to the others, and somebody is asked to make it", async () => {
  const [bad = "", ...good] = await meetingsOfTomorrow(3);
  await stored("meetings").updateOne({ _id: bad }, { $set: { arrivals: null } });
  moveTime(19.5 * DAY_MS);
  const reminded = async () => {
    const docs = await stored("meetings")
      .find({ _id: { $in: [bad, ...good] }, remindedAt: { $ne: null } })
      .toArray();
    return docs.map(({ _id }) => _id);
  };
  await remindOfMeetings(log);
  await remindOfMeetings(log);
  vi.restoreAllMocks();
  expect((await reminded()).toSorted()).toEqual(good.toSorted());
  expect(await asideOf("remind of meetings", [bad])).toEqual([bad]);
  expect((await taskTitles()).filter((title) => title.startsWith("Nobody was reminded"))).toHaveLength(1);
});

test("S77: a reminder that was set aside, when the product is updated, is made", async () => {
  const [bad = ""] = await meetingsOfTomorrow(1);
  await stored("meetings").updateOne({ _id: bad }, { $set: { arrivals: null } });
  moveTime(19.5 * DAY_MS);
  await remindOfMeetings(log);
  // Another release can read what this one cannot.
  await stored("meetings").updateOne({ _id: bad }, { $set: { arrivals: [] } });
  const isReminded = async () => (await stored("meetings").findOne({ _id: bad }))?.["remindedAt"] !== null;
  await remindOfMeetings(log);
  expect(await isReminded()).toBe(false);
  await stored("set_aside").updateOne({ key: bad }, { $set: { release: "the one before" } });
  await remindOfMeetings(log);
  expect(await isReminded()).toBe(true);
  expect(await asideOf("remind of meetings", [bad])).toEqual([]);
});

test("S77: reminders of certificates, when the case of the first is gone, go on, and the owner is told of the first", async () => {
  const { ownerId } = practice;
  const { theCase, first, p1 } = await aCase(practice);
  const expiresOn = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const certificate = { ownerId, caseId: theCase.id, clientId: first.id, partyId: p1.partyId, expiresOn };
  const ids = [newId(), newId(), newId()];
  await stored("certificates").insertMany(
    ids.map((_id, at) => ({
      ...certificate,
      _id,
      number: `C-${at}`,
      status: "issued",
      reminded: "none",
      issuedBy: ownerId,
      ...(at === 0 ? { caseId: "gone" } : {}),
    })),
  );
  await remindOfCertificates(log);
  await remindOfCertificates(log);
  const left = await CertificateModel.find({ ownerId, reminded: "none" }).lean();
  expect(left.map(({ _id }) => _id)).toEqual([ids[0]]);
  expect((await taskTitles()).map((title) => title.slice(0, 15)).toSorted()).toEqual([
    "Certificate C-0",
    "Certificate C-1",
    "Certificate C-2",
  ]);
});

test("S77: an import, when one row meets a record that cannot be read, takes in the others, and names that row", async () => {
  const { id } = await practice.api.clients.create.mutate(
    aClient({ firstName: "Bea", lastName: "Broken", email: "bea@import.example.org" }),
  );
  await stored("clients").updateOne({ _id: id }, { $set: { phones: "none" } });
  const names = ["Ann", "Bea", "Cid"].map((name) => `${name},Able,${name.toLowerCase()}@import.example.org`);
  const {
    counts,
    status,
    id: importId,
  } = await imported(app, practice, `First name,Last name,Email\n${names.join("\n")}`);
  expect([status, counts.imported, counts.bad]).toEqual(["imported", 2, 1]);
  const { items } = await practice.api.imports.listProblems.query({ id: importId, page: 1 });
  expect(items.map(({ row, message }) => [row, message])).toEqual([
    [3, expect.stringContaining("This row could not be taken in")],
  ]);
});

test("S77: letters, when one belongs to a case that is gone, leave, and that one is shown as not sent, with the reason", async () => {
  await stopJobs();
  const clients = [];
  for (const name of ["ann", "bea", "cid"])
    clients.push(await practice.api.clients.create.mutate(aClient({ email: `${name}${newId()}@example.org` })));
  for (const { id, email } of clients)
    await practice.api.compose.send.mutate({ id: newId(), ...aLetterTo(email, { clientId: id }), sendAt: null });
  const [bad, ...good] = clients;
  await OutboxModel.updateMany({ ownerId: practice.ownerId }, { $set: { dueAt: new Date(0) } });
  await OutboxModel.updateOne({ ownerId: practice.ownerId, clientId: bad?.id ?? "" }, { $set: { caseId: "gone" } });
  await deliverCaseMail(log);
  const states = async ({ id = "" } = {}) =>
    (await OutboxModel.find({ ownerId: practice.ownerId, clientId: id }).lean()).map(({ state }) => state);
  for (const client of good) expect(await states(client)).toEqual(["sent"]);
  expect(await states(bad)).toEqual(["failed"]);
  expect(await taskTitles()).toEqual([expect.stringMatching(/^A message did not leave: Whoever wrote it/)]);
});

test("S77: a mailing, when the record of one recipient cannot be read, reaches the others, and says so beside that one", async () => {
  const ids = [];
  for (const name of ["ann", "bea", "cid"])
    ids.push((await practice.api.clients.create.mutate(aClient({ email: `${name}@mailing.example.org` }))).id);
  const { id } = await practice.api.mailings.create.mutate({
    id: newId(),
    subject: "We move",
    body: richTextOf("We move."),
    perMinute: 0,
    source: { kind: "clients", clientIds: ids },
  });
  await stored("clients").updateOne({ _id: ids[1] ?? "" }, { $set: { safeContact: null } });
  const elsewhere = { state: "sending", leaseUntil: new Date(0), startedBy: practice.ownerId };
  await stored("mailings").updateOne({ _id: id }, { $set: elsewhere });
  await runMailing(practice.ownerId, id, log);
  const items = await stored("mailing_items").find({ mailingId: id }).toArray();
  const states = new Map(items.map(({ clientId, state, reason }) => [clientId, [state, reason]]));
  expect(states.get(ids[0])).toEqual(["sent", ""]);
  expect(states.get(ids[2])).toEqual(["sent", ""]);
  expect(states.get(ids[1])).toEqual(["failed", expect.stringContaining("No mail could be made for this recipient")]);
  expect((await stored("mailings").findOne({ _id: id }))?.["state"]).toBe("done");
});

test("S77: the sweep of deleted files, when one of them cannot be removed, removes the others", async () => {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const ids: string[] = [];
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    const asked = { id: newId(), clientId, caseId: null, name, visibility: PRACTICE_ONLY };
    const file = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(name)]), asked);
    ids.push(file.id);
  }
  await practice.api.files.remove.mutate({ ids });
  await stored("files").updateOne({ _id: ids[0] ?? "" }, { $set: { sizeBytes: "many" } });
  await passTime(34 * DAY_MS);
  await sweepFiles(log);
  vi.restoreAllMocks();
  const left = await stored("files")
    .find({ _id: { $in: ids } })
    .toArray();
  expect(left.map(({ _id }) => _id)).toEqual([ids[0]]);
  expect(await asideOf("remove deleted files", ids)).toEqual([ids[0]]);
  const ready = await fetch(`${app.url}/ready`);
  expect(await ready.json()).toMatchObject({ ok: true, setAside: { "remove deleted files": 1 } });
});

test("S77: a round, when the database is away in its middle, ends, and nothing is set aside for that", async () => {
  const away = new mongoose.mongo.MongoNetworkError("gone");
  const setAside = vi.fn(() => Promise.resolve());
  await expect(apart(() => Promise.reject(away), { item: {}, log, setAside, putBack: setAside })).rejects.toBe(away);
  expect(setAside).not.toHaveBeenCalled();
});
