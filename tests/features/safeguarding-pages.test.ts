// The safeguarding record where there is much of it: pages, bounds, and what was stored before it had them.
import { decrypt, encrypt } from "@app/server/core/crypto";
import { createLogger } from "@app/server/core/logger";
import { sealedFields } from "@app/server/core/sealed-fields";
import { wordingsApart } from "@app/server/features/safeguarding/safeguarding.migration";
import { SafeguardingModel } from "@app/server/features/safeguarding/safeguarding.model";
import { listEntries, listWordings } from "@app/server/features/safeguarding/safeguarding.service";
import { PAGE_SIZE } from "@app/shared/product";
import { ENTRIES_MAX, ENTRY_VERSIONS_MAX } from "@app/shared/safeguarding";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aCase, aPractice, aStaffUser, scopeOf, type TestPractice } from "../support/server/people.ts";
import { anAmendment, anEntry } from "../support/server/safeguarded.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const entries = () => mongoose.connection.collection<{ _id: string }>("safeguarding_entries");

async function amended({ api }: TestPractice, caseId: string, times: number): Promise<string> {
  const { id } = await api.safeguarding.add.mutate(anEntry(caseId, { concern: "Wording 0" }));
  for (let version = 0; version < times; version += 1) {
    const change = { ...anAmendment(id, caseId, { concern: `Wording ${version + 1}` }), version };
    await api.safeguarding.amend.mutate(change);
  }
  return id;
}

/** As many more entries as the case has room for, each a copy of one that is there. */
async function fill(id: string, change: object = {}): Promise<void> {
  const stored = await entries().findOne({ _id: id });
  const copies = Array.from({ length: ENTRIES_MAX }, (_, at) => ({ ...stored, ...change, _id: `${id}-${at}` }));
  await entries().insertMany(copies);
}

test("safeguarding.list: more entries than a page has, then each page holds its own, the newest first, and says how many there are", async () => {
  const { theCase } = await aCase(practice);
  const added: string[] = [];
  for (let at = 0; at < PAGE_SIZE + 1; at += 1)
    added.push((await practice.api.safeguarding.add.mutate(anEntry(theCase.id))).id);
  const page = (number: number) => practice.api.safeguarding.list.query({ caseId: theCase.id, page: number });
  const [first, second] = [await page(1), await page(2)];
  expect([first.items.length, second.items.length]).toEqual([PAGE_SIZE, 1]);
  expect([first.total, second.total]).toEqual([PAGE_SIZE + 1, PAGE_SIZE + 1]);
  const shown = [...first.items, ...second.items].map(({ id }) => id);
  expect(shown.toSorted()).toEqual(added.toSorted());
  expect(shown.at(-1)).toBe(added[0]);
});

test("safeguarding.list: an entry with many wordings, then it holds the newest alone, and the others stand in pages of their own", async () => {
  const { theCase } = await aCase(practice);
  const id = await amended(practice, theCase.id, PAGE_SIZE + 2);
  const list = await practice.api.safeguarding.list.query({ caseId: theCase.id });
  expect(list.items).toMatchObject([
    { id, earlierCount: PAGE_SIZE + 2, latest: { concern: `Wording ${PAGE_SIZE + 2}` } },
  ]);
  expect(JSON.stringify(list).match(/Wording \d+/g)).toHaveLength(1);
  const pages = [
    await practice.api.safeguarding.listWordings.query({ id }),
    await practice.api.safeguarding.listWordings.query({ id, page: 2 }),
  ];
  const concerns = pages.flatMap(({ items }) => items.map(({ concern }) => concern));
  expect(concerns).toEqual(Array.from({ length: PAGE_SIZE + 2 }, (_, at) => `Wording ${PAGE_SIZE + 1 - at}`));
});

test("S70: safeguarding.add: a case that is full for whoever adds, then it is refused in words, and others' suspicions count for nobody", async () => {
  const { theCase } = await aCase(practice);
  const permissions = ["clients.read", "clients.write", "safeguarding.read"] as const;
  const author = await aStaffUser(app, practice, { permissions: [...permissions] });
  const suspicion = anEntry(theCase.id, { kind: "suspicious_activity" });
  await fill((await author.api.safeguarding.add.mutate(suspicion)).id);
  const { id } = await practice.api.safeguarding.add.mutate(anEntry(theCase.id));
  expect(await refusal(author.api.safeguarding.add.mutate(anEntry(theCase.id)))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining(`${ENTRIES_MAX} entries`),
  });
  await fill(id);
  expect((await refusal(practice.api.safeguarding.add.mutate(anEntry(theCase.id)))).code).toBe("PRECONDITION_FAILED");
});

test("safeguarding.amend: an entry with as many wordings as it may have, then it is refused in words, and none is lost", async () => {
  const { theCase } = await aCase(practice);
  const id = await amended(practice, theCase.id, 1);
  const version = ENTRY_VERSIONS_MAX - 1;
  await SafeguardingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { version } });
  const change = { ...anAmendment(id, theCase.id), version };
  expect(await refusal(practice.api.safeguarding.amend.mutate(change))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining(`${ENTRY_VERSIONS_MAX} wordings`),
  });
  const [entry] = (await practice.api.safeguarding.list.query({ caseId: theCase.id })).items;
  expect(entry).toMatchObject({ version, latest: { concern: "Wording 1" } });
});

test("the record: each page of it that is read, entries or earlier wordings, is logged with its case", async () => {
  const { theCase } = await aCase(practice);
  const id = await amended(practice, theCase.id, 1);
  const lines: unknown[] = [];
  const log = createLogger("silent");
  log.info = (line: unknown) => void lines.push(line);
  const scope = scopeOf(practice.ownerId);
  await listEntries({ scope, log }, { caseId: theCase.id, page: 1 });
  await listWordings({ scope, log }, { id, page: 1 });
  const line = { event: "safeguarding record read", caseId: theCase.id };
  expect(lines).toEqual([line, line]);
});

test("the migration: entries that held all their wordings in one text, interrupted and run again, then none is lost or doubled", async () => {
  const { theCase } = await aCase(practice);
  const { ownerId, api } = practice;
  const ids = [await amended(practice, theCase.id, 3), await amended(practice, theCase.id, 0)];
  const before = await Promise.all(ids.map((id) => wholeOf(id)));
  for (const [index, id] of ids.entries()) {
    const whole = before[index] ?? [];
    const versionsEnc = encrypt(JSON.stringify(whole), `safeguarding_entries:${ownerId}:${id}`);
    await entries().updateOne({ _id: id }, { $set: { versionsEnc }, $unset: { latestEnc: "", begunAt: "" } });
  }
  // As where it ended between the wordings and the entry: one of those is there already, and one is not.
  await mongoose.connection.collection<{ _id: string }>("safeguarding_wordings").deleteOne({ _id: `${ids[0]}-1` });
  await wordingsApart();
  await wordingsApart();
  expect(await Promise.all(ids.map((id) => wholeOf(id)))).toEqual(before);
  expect(await entries().countDocuments({ versionsEnc: { $exists: true } })).toBe(0);
  const { items } = await api.safeguarding.list.query({ caseId: theCase.id });
  expect(items.map(({ id, version }) => [id, version])).toEqual([
    [ids[1], 0],
    [ids[0], 3],
  ]);

  async function wholeOf(id: string) {
    const list = await api.safeguarding.list.query({ caseId: theCase.id });
    const latest = list.items.find((entry) => entry.id === id)?.latest;
    return [latest, ...(await api.safeguarding.listWordings.query({ id })).items];
  }
});

test("key rotation: the newest wording and each earlier one are declared, at the places that open them", async () => {
  const { theCase } = await aCase(practice);
  const id = await amended(practice, theCase.id, 1);
  for (const [collection, path, _id] of [
    ["safeguarding_entries", "latestEnc", id],
    ["safeguarding_wordings", "wordingEnc", `${id}-0`],
  ] as const) {
    const field = sealedFields().find((one) => one.collection === collection && one.path === path);
    const stored = await mongoose.connection
      .collection<Record<string, string> & { _id: string }>(collection)
      .findOne({ _id });
    const place = field?.placeOf({ _id, ownerId: practice.ownerId }) ?? "";
    expect(decrypt(stored?.[path] ?? "", place)).toContain("Wording");
  }
});
