// With a ClamAV daemon set up, what carries a virus is not kept, whichever way it comes; without an answer it is looked at later.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { sweepFiles } from "@app/server/features/files/file-sweeper";
import { followSignatures } from "@app/server/features/signatures/going-on";
import { storeContent } from "@app/server/features/files/apart-contents.service";
import type { StoredFile } from "@app/shared/files";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { A_VIRUS, type FakeClamd, startFakeClamd } from "../support/hostile/fake-clamd.ts";
import { aCase, aPractice, aVisitor } from "../support/server/people.ts";
import { aReadyCase, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let clamd: FakeClamd;
let place: { clientId: string; caseId: string };
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const sweep = () => sweepFiles(createLogger("silent"));
beforeAll(async () => {
  clamd = await startFakeClamd();
  const { theCase, first } = await aCase(practice);
  place = { clientId: first.id, caseId: theCase.id };
});
afterAll(() => clamd.close());
beforeEach(() => {
  clamd.setDown(false);
  clamd.setBlind(false);
  clamd.setSilent(false);
  configure({ ...settings(), CLAMD: clamd.address, CLAMD_REQUIRED: false });
});

async function upload(body: string) {
  const input = { id: newId(), ...place, name: "note.txt", visibility: PRACTICE_ONLY };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body,
  });
  const file: StoredFile & { error?: { message: string } } = await response.json();
  return { status: response.status, file, message: file.error?.message ?? "" };
}

const read = (id: string) => fetch(`${app.url}/files/${id}`, { headers: { cookie: practice.cookies() } });

test("virus scan: a file with a virus is refused, and a clean one of many pieces is kept", async () => {
  expect(await upload(`hello ${A_VIRUS}`)).toMatchObject({
    status: 400,
    message: "This file carries a virus, so it was not kept.",
  });
  const before = clamd.count();
  const large = await upload(`clean ${"x".repeat(3_000_000)}`);
  expect(large.status).toBe(201);
  expect(clamd.count()).toBe(before + 1);
  expect((await read(large.file.id)).status).toBe(200);
});

test("virus scan: what the public adds to a form is looked at as well", async () => {
  const kept = storeContent(Readable.from([Buffer.from(`from outside ${A_VIRUS}`)]), {
    ownerId: practice.ownerId,
    asker: { group: "network", one: "203.0.113.9" },
    name: "note.txt",
    limitBytes: 10_000,
    make: (content) => Promise.resolve(content),
  });
  await expect(kept).rejects.toThrow("carries a virus");
});

test("virus scan: while the daemon does not answer a file is kept, and locked once the virus is found", async () => {
  clamd.setDown(true);
  const { status, file } = await upload(`later ${A_VIRUS}`);
  const clean = await upload("later and clean");
  expect([status, clean.status]).toEqual([201, 201]);
  await sweep();
  expect((await read(file.id)).status).toBe(200);
  clamd.setDown(false);
  await sweep();
  const locked = await read(file.id);
  expect(locked.status).toBe(412);
  expect(await locked.text()).toContain("This file carries a virus and is locked.");
  expect((await read(clean.file.id)).status).toBe(200);
  const { items } = await practice.api.timeline.list.query({ clientId: place.clientId });
  expect(JSON.stringify(items)).toContain("File found to carry a virus, and locked: note.txt");
  const before = clamd.count();
  await sweep();
  expect(clamd.count()).toBe(before);
});

test("virus scan: where it has to be scanned, nothing is kept without an answer", async () => {
  configure({ ...settings(), CLAMD_REQUIRED: true });
  clamd.setDown(true);
  expect(await upload("not looked at")).toMatchObject({
    status: 503,
    message: "The virus scanner does not answer, so this file was not kept. Try again in a few minutes.",
  });
});

test("virus scan: what was kept before there was a scanner is looked at too, and opens again once it is found clean", async () => {
  configure({ ...settings(), CLAMD: undefined });
  const { file } = await upload(`old ${A_VIRUS}`);
  configure({ ...settings(), CLAMD: clamd.address });
  await sweep();
  expect((await read(file.id)).status).toBe(412);
  clamd.setBlind(true);
  await upload(`old ${A_VIRUS}`);
  expect((await read(file.id)).status).toBe(200);
});

test("virus scan: while the scanner says nothing, a file is kept after some seconds, and whoever signs does not wait for it", async () => {
  configure({ ...settings(), CLAMD: undefined });
  const { theCase, p1 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const made = await sendOut(practice, file.id, [p1.partyId]);
  const token = (await linksOf(practice))[p1.partyId] ?? "";
  clamd.setSilent(true);
  configure({ ...settings(), CLAMD: clamd.address, CLAMD_REQUIRED: true });
  const at = Date.now();
  expect((await signAs(aVisitor(app), token)).state).toBe("signed");
  expect(Date.now() - at).toBeLessThan(9000);
  configure({ ...settings(), CLAMD_REQUIRED: false });
  expect((await upload("quiet")).status).toBe(201);
  expect(Date.now() - at).toBeLessThan(40_000);
  clamd.setSilent(false);
  await followSignatures(createLogger("silent"));
  expect((await practice.api.signatures.get.query({ id: made.id })).sealedFileId).not.toBeNull();
}, 60_000);
