// Entries of cases that go when an import is undone: nobody learns from that of them, and none is lost.
import { decrypt } from "@app/server/core/crypto";
import { createLogger } from "@app/server/core/logger";
import { sealedFields } from "@app/server/core/sealed-fields";
import { ImportChunkModel } from "@app/server/features/imports/imports.model";
import { listEntriesOfRemoved } from "@app/server/features/safeguarding/safeguarding.service";
import { PAGE_SIZE } from "@app/shared/product";
import type { Permission } from "@app/shared/access";
import type { SafeguardingEntry } from "@app/shared/safeguarding";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { imported, settled } from "../support/hostile/import-uploads.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import {
  aClient,
  aPractice,
  aStaffUser,
  type Api,
  scopeOf,
  setPermissions,
  type TestPerson,
  type TestPractice,
} from "../support/server/people.ts";
import { aCompletion, anAmendment, anEntry } from "../support/server/safeguarded.ts";
import { startTestApp } from "../support/server/test-app.ts";

const RECORD: Permission[] = ["clients.read", "clients.write", "safeguarding.read"];
const WORD = "Removedquill";

interface Stored {
  _id: string;
  removedCaseEnc: string;
}

const app = forAllTests(startTestApp);

const reader = (from: TestPractice) => aStaffUser(app, from, { permissions: RECORD });
const idsOf = async ({ api }: TestPerson) =>
  (await api.safeguarding.listOfRemoved.query({})).items.map(({ id }) => id).toSorted();

let lists = 0;

/** An import of cases of one new client, with what it made. */
async function importedCases(practice: TestPractice, count = 1): Promise<{ id: string; caseIds: string[] }> {
  lists += 1;
  const email = `removed${lists}@example.org`;
  await practice.api.clients.create.mutate(
    aClient({ firstName: "Ada", lastName: `${WORD} ${lists}`, email, phones: [] }),
  );
  const rows = Array.from({ length: count }, (_, at) => `RM-${lists}-${at},${email},Enquiry`);
  const list = ["Reference,Party 1,Status", ...rows].join("\n");
  const { id } = await imported(app, practice, list, { kind: "cases", duplicates: "import" });
  const chunks = await ImportChunkModel.find({ ownerId: practice.ownerId, importId: id }).lean();
  return { id, caseIds: chunks.flatMap(({ made }) => made.map((one) => one.id)) };
}

async function undone(api: Api, id: string) {
  expect(await api.imports.undo.mutate({ id, keepsChanged: false })).toEqual({ outcome: "started" });
  const { counts, status } = await settled(api, id);
  return { status, undone: counts.undone, kept: counts.kept };
}

/** A case that was imported and is gone, with entries that these people wrote of it. */
async function aRemovedCase(practice: TestPractice, entries: [TestPerson, SafeguardingEntry["kind"]][]) {
  const { id, caseIds } = await importedCases(practice);
  const caseId = caseIds[0] ?? "";
  const ids: string[] = [];
  for (const [{ api }, kind] of entries)
    ids.push((await api.safeguarding.add.mutate(anEntry(caseId, { kind, concern: WORD }))).id);
  await undone(practice.api, id);
  return { caseId, ids };
}

test("S70: imports.undo: a case has entries of the safeguarding record, then it goes as if it had none", async () => {
  const practice = await aPractice(app);
  const author = await reader(practice);
  const [bare, recorded] = [await importedCases(practice), await importedCases(practice)];
  for (const kind of ["concern", "suspicious_activity"] as const)
    await author.api.safeguarding.add.mutate(anEntry(recorded.caseIds[0] ?? "", { kind }));
  expect(await undone(practice.api, recorded.id)).toEqual(await undone(practice.api, bare.id));
  for (const { id, caseIds } of [bare, recorded]) {
    expect((await practice.api.imports.listProblems.query({ id })).items).toEqual([]);
    expect(await refusal(practice.api.cases.get.query({ id: caseIds[0] ?? "" }))).toMatchObject({ code: "NOT_FOUND" });
  }
});

test("safeguarding.listOfRemoved: a case was removed, then its entry says of which case and of whom it was, and goes on", async () => {
  const practice = await aPractice(app);
  const { api } = practice;
  const { caseId, ids } = await aRemovedCase(practice, [[practice, "concern"]]);
  const [id = ""] = ids;
  const number = lists;
  const { items, total } = await api.safeguarding.listOfRemoved.query({});
  expect({ items, total }).toMatchObject({
    total: 1,
    items: [
      {
        id,
        caseId,
        latest: { concern: WORD },
        removedCase: { caseRef: `RM-${number}-0`, parties: [{ label: "P1", name: `Ada ${WORD} ${number}` }] },
      },
    ],
  });
  const change = anAmendment(id, caseId, { concern: "Said more" });
  const amended = await api.safeguarding.amend.mutate(change);
  expect(amended).toMatchObject({ version: 1, removedCase: { caseRef: `RM-${number}-0` } });
  expect(await api.safeguarding.amend.mutate(change)).toEqual(amended);
  expect((await api.safeguarding.listWordings.query({ id })).items).toMatchObject([{ concern: WORD }]);
  expect(await refusal(api.safeguarding.complete.mutate(aCompletion(id, caseId)))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
  expect(await refusal(api.safeguarding.add.mutate(anEntry(caseId)))).toMatchObject({ code: "NOT_FOUND" });
  expect(await refusal(api.safeguarding.list.query({ caseId }))).toMatchObject({ code: "NOT_FOUND" });
});

test("S70: safeguarding.listOfRemoved: concerns are for who may read the record, suspicions for their author and the officer", async () => {
  const practice = await aPractice(app);
  const [author, officer, other] = [await reader(practice), await reader(practice), await reader(practice)];
  const { user } = await officer.api.auth.status.query();
  await practice.api.safeguarding.setOfficer.mutate({ userId: user?.userId ?? "" });
  const { ids } = await aRemovedCase(practice, [
    [author, "concern"],
    [author, "suspicious_activity"],
  ]);
  const [concern = "", suspicion = ""] = ids;
  expect(await idsOf(author)).toEqual([concern, suspicion].toSorted());
  expect(await idsOf(officer)).toEqual([concern, suspicion].toSorted());
  for (const person of [practice, other]) {
    expect(await idsOf(person)).toEqual([concern]);
    expect((await person.api.safeguarding.listOfRemoved.query({})).total).toBe(1);
    await expectMissing(person, suspicion);
  }
  const without = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "screening.read"] });
  expect(await refusal(without.api.safeguarding.listOfRemoved.query({}))).toMatchObject({ code: "FORBIDDEN" });
  const stranger = await aPractice(app);
  expect(await idsOf(stranger)).toEqual([]);
  await expectMissing(stranger, concern);
});

test("S70: safeguarding.listOfRemoved: for who sees only their own cases, holds what they wrote, and suspicions as the officer", async () => {
  const practice = await aPractice(app);
  const author = await reader(practice);
  const { ids } = await aRemovedCase(practice, [
    [author, "concern"],
    [practice, "concern"],
    [practice, "suspicious_activity"],
  ]);
  const [own = "", others = "", suspicion = ""] = ids;
  await setPermissions(practice, author, [...RECORD, "assigned_only"]);
  const outsider = await aStaffUser(app, practice, { permissions: [...RECORD, "assigned_only"] });
  expect([await idsOf(author), await idsOf(outsider)]).toEqual([[own], []]);
  for (const id of [others, suspicion]) await expectMissing(author, id);
  for (const id of ids) await expectMissing(outsider, id);
  const { user } = await outsider.api.auth.status.query();
  await practice.api.safeguarding.setOfficer.mutate({ userId: user?.userId ?? "" });
  expect(await idsOf(outsider)).toEqual([suspicion]);
});

async function expectMissing({ api }: TestPerson, id: string): Promise<void> {
  const change = anAmendment(id, "of no case");
  for (const asked of [api.safeguarding.listWordings.query({ id }), api.safeguarding.amend.mutate(change)])
    expect(await refusal(asked)).toMatchObject({ code: "NOT_FOUND" });
}

test("imports.undo: entries are written meanwhile, then each that was told to be kept is there, and the others are refused", async () => {
  const practice = await aPractice(app);
  const { id, caseIds } = await importedCases(practice, PAGE_SIZE);
  await practice.api.imports.undo.mutate({ id, keepsChanged: false });
  const written = await Promise.all(
    caseIds.map((caseId) =>
      practice.api.safeguarding.add.mutate(anEntry(caseId)).then(
        (entry) => entry.id,
        (error: unknown) => refusal(Promise.reject(error)).then(({ code }) => expect(code).toBe("NOT_FOUND")),
      ),
    ),
  );
  const { counts } = await settled(practice.api, id);
  expect(counts).toMatchObject({ undone: PAGE_SIZE, kept: 0 });
  expect(await idsOf(practice)).toEqual(written.filter((each) => typeof each === "string").toSorted());
});

test("safeguarding.listOfRemoved: when it is read, that is logged, without how many there are", async () => {
  const practice = await aPractice(app);
  await aRemovedCase(practice, [[practice, "concern"]]);
  const lines: unknown[] = [];
  const log = createLogger("silent");
  log.info = (line: unknown) => void lines.push(line);
  await listEntriesOfRemoved({ scope: scopeOf(practice.ownerId), log }, { page: 1 });
  expect(lines).toEqual([{ event: "safeguarding record of removed cases read" }]);
});

test("safeguarding.amend: an entry from before anything was kept of removed cases, then it is amended in its case", async () => {
  const practice = await aPractice(app);
  const { caseIds } = await importedCases(practice);
  const caseId = caseIds[0] ?? "";
  const { id } = await practice.api.safeguarding.add.mutate(anEntry(caseId));
  const entries = mongoose.connection.collection<Stored>("safeguarding_entries");
  await entries.updateOne({ _id: id }, { $unset: { removedCaseEnc: "" } });
  const change = anAmendment(id, caseId);
  expect(await practice.api.safeguarding.amend.mutate(change)).toMatchObject({ version: 1, removedCase: null });
  expect(await idsOf(practice)).toEqual([]);
});

test("imports.undo: what is kept of a case for its entries is sealed, and its key can change", async () => {
  const practice = await aPractice(app);
  const { ids } = await aRemovedCase(practice, [[practice, "concern"]]);
  const [id = ""] = ids;
  const stored = await mongoose.connection.collection<Stored>("safeguarding_entries").findOne({ _id: id });
  expect(JSON.stringify(stored)).not.toContain(WORD);
  const field = sealedFields().find(({ path }) => path === "removedCaseEnc");
  const place = field?.placeOf({ _id: id, ownerId: practice.ownerId }) ?? "";
  expect(decrypt(stored?.removedCaseEnc ?? "", place)).toContain(WORD);
});
