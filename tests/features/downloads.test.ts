// Downloads that are broken off, or of which nothing is taken: they hold few pieces, and nobody else's.
import { get, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { storeFile } from "@app/server/features/files/files.service";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const MB = 1024 * 1024;
const SOON = { timeout: 10_000 };
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

async function aFile(bytes: number): Promise<string> {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const content = Readable.from([Buffer.alloc(bytes, "a line of words\n")]);
  const upload = { name: "long.txt", clientId, caseId: null, visibility: PRACTICE_ONLY };
  return (await storeFile(scopeOf(practice.ownerId), content, upload)).id;
}

function ask(id: string, cookie: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${app.url}/files/${id}`, { headers: { cookie, ...headers }, agent: false }, resolve).once("error", reject);
  });
}

const bytesOf = async (answer: IncomingMessage): Promise<number> => {
  let count = 0;
  for await (const piece of answer) count += Buffer.byteLength(piece);
  return count;
};

test("S75 downloads: nothing is kept open in the database for those that are broken off", async () => {
  const id = await aFile(12 * MB);
  const openCursors = vi.spyOn(mongoose.mongo.GridFSBucket.prototype, "openDownloadStream");
  for (let round = 0; round < 12; round += 1) (await ask(id, practice.cookies())).destroy();
  expect(openCursors).not.toHaveBeenCalled();
  expect(await bytesOf(await ask(id, practice.cookies()))).toBe(12 * MB);
});

test("S75 downloads: whoever takes nothing of eight waits with the ninth, and a colleague does not", async () => {
  const id = await aFile(24 * MB);
  const colleague = await aStaffUser(app, practice);
  const held = await Promise.all(Array.from({ length: 8 }, () => ask(id, practice.cookies())));
  let isAnswered = false;
  const ninth = ask(id, practice.cookies()).then((answer) => {
    isAnswered = true;
    return answer;
  });
  expect(await bytesOf(await ask(id, colleague.cookies()))).toBe(24 * MB);
  expect(isAnswered).toBe(false);
  held.pop()?.destroy();
  expect(await bytesOf(await ninth)).toBe(24 * MB);
  for (const answer of held) answer.destroy();
});

test.each([
  ["bytes=0-9", 10, "a line of "],
  [`bytes=${MB - 3}-${MB + 2}`, 6, undefined],
  [`bytes=${3 * MB}-${3 * MB + 4}`, 5, "a lin"],
])("files: %s of a content of several pieces", async (range, length, words) => {
  const id = await aFile(4 * MB);
  const answer = await ask(id, practice.cookies(), { range });
  expect(answer.statusCode).toBe(206);
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(Buffer.from(piece));
  const got = Buffer.concat(pieces);
  expect(got).toHaveLength(length);
  if (words !== undefined) expect(got.toString()).toBe(words);
});

test("S69 downloads: a long one breaks off soon after its reader may read it no more", async () => {
  const id = await aFile(60 * MB);
  const colleague = await aStaffUser(app, practice);
  const answer = await ask(id, colleague.cookies());
  answer.pause();
  const colleagueId = (await colleague.api.auth.status.query()).user?.userId ?? "";
  await practice.api.staff.suspend.mutate({ id: colleagueId });
  await expect(bytesOf(answer)).rejects.toThrow();
  await vi.waitFor(() => expect(answer.destroyed).toBe(true), SOON);
});
