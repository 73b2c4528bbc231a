// Who keeps an address off the mailings, and who may take that back.
import { newId } from "@app/server/core/ids";
import { mailboxesOnTheList, oneWishForEach } from "@app/server/features/suppressions/suppressions.migration";
import { suppress, suppressedOf } from "@app/server/features/suppressions/suppressions.service";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { aClient, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

let person: TestPerson;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(async () => {
  person = await aStaffUser(app, practice, {
    permissions: ["clients.read", "clients.write", "mail.send", "assigned_only"],
  });
});

const ADDRESS = "hidden@example.org";
const isStopped = async () => (await suppressedOf(practice.ownerId, [ADDRESS])).has(ADDRESS);
const listOf = async ({ api }: Pick<TestPerson, "api">) => (await api.suppressions.list.query({ page: 1 })).items;
const add = ({ api }: Pick<TestPerson, "api">) => api.suppressions.add.mutate({ id: newId(), address: ADDRESS });

test("suppressions.add and remove: when an address is stopped and let go, then the list and its clients' histories say so", async () => {
  const client = await practice.api.clients.create.mutate(aClient({ email: ADDRESS }));
  const told = async () => {
    const { items } = await practice.api.timeline.list.query({ clientId: client.id, kind: "mail" });
    return items.map(({ text }) => text);
  };
  const stopped = `Mailings to ${ADDRESS} are stopped: the practice decided it`;
  const added = await add(practice);
  await practice.api.suppressions.add.mutate({ id: newId(), address: "another@example.org" });
  expect((await listOf(practice)).map(({ address }) => address)).toEqual(["another@example.org", ADDRESS]);
  expect((await practice.api.suppressions.list.query({ search: "hidd" })).items).toEqual([added]);
  expect([await isStopped(), await told()]).toEqual([true, [stopped]]);
  await practice.api.suppressions.remove.mutate({ id: added.id });
  expect((await listOf(practice)).map(({ address }) => address)).toEqual(["another@example.org"]);
  expect([await isStopped(), await told()]).toEqual([false, [`Mailings to ${ADDRESS} are allowed again`, stopped]]);
  expect(await refusal(practice.api.suppressions.remove.mutate({ id: added.id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("suppressions.add and remove: when it is no address, or another practice's, then nothing changes", async () => {
  const added = await add(practice);
  const wrong = practice.api.suppressions.add.mutate({ id: newId(), address: "nobody" });
  expect((await refusal(wrong)).fields).toHaveProperty("address");
  const other = await aPractice(app);
  expect(await refusal(other.api.suppressions.remove.mutate({ id: added.id }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await listOf(practice)).toEqual([added]);
});

test("suppressions.list: what is said of a hidden client's address, when somebody makes a client with it, stays hidden", async () => {
  await practice.api.clients.create.mutate(aClient({ email: ADDRESS }));
  await add(practice);
  await person.api.clients.create.mutate(aClient({ email: ADDRESS.toUpperCase() }));
  expect(await listOf(person)).toEqual([]);
  expect(await listOf(practice)).toHaveLength(1);
});

/** Others who said so, each by their own way, a while ago. */
const OTHERS = {
  "the owner": async () => (await add(practice)).id,
  "the person themselves": async () =>
    (await suppress(practice.ownerId, ADDRESS, { reason: "unsubscribed" }))?.id ?? "",
  "a mail that came back": async () => (await suppress(practice.ownerId, ADDRESS, { reason: "bounced" }))?.id ?? "",
};

test.each(Object.entries(OTHERS))(
  "S70: suppressions.add, when %s stopped it before, is answered as the first, and taken back leaves theirs",
  async (_who, stop) => {
    const id = await stop();
    const [before] = await listOf(practice);
    const own = await add(person);
    expect(own).toMatchObject({ address: ADDRESS, reason: "manual" });
    expect(own.id).not.toBe(id);
    expect(Date.parse(own.createdAt)).toBeGreaterThan(Date.parse(before?.createdAt ?? ""));
    expect(await listOf(person)).toEqual([own]);
    expect(await refusal(add(person))).toMatchObject({ code: "CONFLICT" });
    expect(await refusal(person.api.suppressions.remove.mutate({ id }))).toMatchObject({ code: "NOT_FOUND" });
    await person.api.suppressions.remove.mutate({ id: own.id });
    expect(await listOf(practice)).toEqual([before]);
    expect(await isStopped()).toBe(true);
  },
);

const SPELLINGS = ["hidden+news@example.org", "HIDDEN@Example.ORG", "hidden+a+b@EXAMPLE.org"];

test.each(SPELLINGS)(
  "S67: %s, when its mailbox gets no mailings, gets none either, and is on the list already",
  async (spelled) => {
    await add(practice);
    const letter = { subject: "We move", body: richTextOf("We move."), perMinute: 0 };
    const source = { kind: "csv" as const, csv: `value\n${spelled}` };
    const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...letter, source });
    const { items } = await practice.api.mailings.listItems.query({ mailingId: id, page: 1 });
    expect(items).toMatchObject([{ state: "skipped", reason: expect.stringContaining("Gets no mailings") }]);
    const again = practice.api.suppressions.add.mutate({ id: newId(), address: spelled });
    expect(await refusal(again)).toMatchObject({ code: "CONFLICT" });
  },
);

test("S67: a list from before mailboxes were compared, when it is brought in, stops every spelling", async () => {
  const { id } = await add(practice);
  const stored = mongoose.connection.collection<{ _id: string }>("mail_suppressions");
  await stored.updateOne({ _id: id }, { $unset: { mailbox: "" } });
  await mailboxesOnTheList();
  expect(await suppressedOf(practice.ownerId, SPELLINGS)).toEqual(new Set(SPELLINGS));
});

test("S70: mailings of colleagues, when somebody may send but not read mail, are not theirs to see", async () => {
  const sender = await aStaffUser(app, practice, { permissions: ["mail.send"] });
  const source = { kind: "csv" as const, csv: "value\nsomebody@example.org" };
  const letter = { subject: "We move", body: richTextOf("We move."), perMinute: 0, source };
  const { id } = await practice.api.mailings.create.mutate({ id: newId(), ...letter });
  const own = await sender.api.mailings.create.mutate({ id: newId(), ...letter });
  expect((await sender.api.mailings.list.query({ page: 1 })).items.map((each) => each.id)).toEqual([own.id]);
  expect(await refusal(sender.api.mailings.get.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("S70: an address that was named in a list, or given to a client of one's own, does not let go what others said", async () => {
  const { id } = await add(practice);
  const csv = { kind: "csv" as const, csv: `value\n${ADDRESS}` };
  const letter = { subject: "We move", body: richTextOf("We move."), perMinute: 0, source: csv };
  await person.api.mailings.create.mutate({ id: newId(), ...letter });
  expect(await listOf(person)).toEqual([]);
  expect(await refusal(person.api.suppressions.remove.mutate({ id }))).toMatchObject({ code: "NOT_FOUND" });
  await person.api.clients.create.mutate(aClient({ email: ADDRESS }));
  expect((await listOf(person)).map(({ address }) => address)).toEqual([ADDRESS]);
  expect(await refusal(person.api.suppressions.remove.mutate({ id }))).toMatchObject({ code: "FORBIDDEN" });
  expect(await isStopped()).toBe(true);
});

test("S70: the person's own word, when somebody stopped the address by hand before, stands after that is taken back", async () => {
  const { id } = await add(practice);
  await suppress(practice.ownerId, ADDRESS, { reason: "unsubscribed" });
  await practice.api.suppressions.remove.mutate({ id });
  expect((await listOf(practice)).map(({ reason }) => reason)).toEqual(["unsubscribed"]);
});

test("S70: a list from when one line stood for everybody, when it is brought in, keeps each of their wishes", async () => {
  const stored = mongoose.connection.collection<{ _id: string; [field: string]: unknown }>("mail_suppressions");
  await stored.createIndex({ ownerId: 1, address: 1 }, { unique: true });
  const line = { ownerId: practice.ownerId, createdAt: new Date() };
  await stored.insertMany([
    { ...line, _id: newId(), address: "one@example.org", reason: "manual", addedBy: ["a", "b"] },
    { ...line, _id: newId(), address: "two@example.org", reason: "unsubscribed", addedBy: ["a"] },
    { ...line, _id: newId(), address: "three@example.org", reason: "bounced" },
  ]);
  await oneWishForEach();
  await oneWishForEach();
  const found = await stored.find({ ownerId: practice.ownerId }).toArray();
  const wishes = found.map(({ address, reason, addedBy }) => [address, reason, addedBy ?? ""].join(" "));
  expect(wishes.toSorted()).toEqual([
    "one@example.org manual a",
    "one@example.org manual b",
    "three@example.org bounced ",
    "two@example.org manual a",
    "two@example.org unsubscribed ",
  ]);
});
