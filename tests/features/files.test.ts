import { readdirSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { DAY_MS } from "@app/server/core/clock";
import { settings } from "@app/server/core/settings";
import { FileModel } from "@app/server/features/files/files.model";
import { sweepFiles } from "@app/server/features/files/file-sweeper";
import { storeFile } from "@app/server/features/files/files.service";
import { QUOTA_BYTES, type StoredFile, type Upload } from "@app/shared/files";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { aPhoto } from "../support/hostile/photo.ts";
import { aCase, aPractice, aStaffUser, PASSWORD, scopeOf, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { passTime } from "../support/clocks/sure-clock.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let place: { clientId: string; caseId: string };
let parties: { p1: string; p2: string };
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  const { theCase, first, p1, p2 } = await aCase(practice);
  place = { clientId: first.id, caseId: theCase.id };
  parties = { p1: p1.partyId, p2: p2.partyId };
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function upload(person: TestPerson, body: Buffer | string, overrides: Partial<Upload & { id: string }> = {}) {
  const input = { id: newId(), ...place, name: "note.txt", visibility: PRACTICE_ONLY, ...overrides };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
  const answer: StoredFile & { error?: { message: string } } = await response.json();
  return { status: response.status, file: answer, message: answer.error?.message ?? "" };
}

const read = (person: TestPerson, id: string, headers: Record<string, string> = {}, query = "") =>
  fetch(`${app.url}/files/${id}${query}`, { headers: { cookie: person.cookies(), ...headers } });

const spooled = () => {
  try {
    return readdirSync(path.join(settings().dataDir, "spool"));
  } catch {
    return [];
  }
};
/** The name under which a browser saves it (RFC 6266). */
const nameIn = (header: string) => decodeURIComponent(/filename(?:\*=UTF-8''|="?)([^"=]*)"?$/.exec(header)?.[1] ?? "");
const contents = () => mongoose.connection.collection("blobs.files").countDocuments();
const stored = () =>
  Promise.all(
    ["blobs.files", "blobs.chunks", "file_contents", "file_leftovers"].map((name) =>
      mongoose.connection.collection(name).countDocuments(),
    ),
  );

describe("upload", () => {
  test("POST /files: what was sent is what is read, under its own name, and nothing lies around", async () => {
    const { status, file } = await upload(practice, "Grüße", { name: "Übersicht (1).txt" });
    expect([status, file.mime, file.sizeBytes]).toEqual([201, "text/plain", 7]);
    const response = await read(practice, file.id);
    expect(await response.text()).toBe("Grüße");
    expect(response.headers.get("content-disposition")).toBe(
      "attachment; filename=\"?bersicht (1).txt\"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.txt",
    );
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(spooled()).toEqual([]);
  });

  test("files.get: when a file is there, then its own line of the list is told; for whoever may not read it it is missing", async () => {
    const { file } = await upload(practice, "Caucus", { visibility: MEDIATOR_ONLY });
    const shown = await practice.api.files.get.query({ id: file.id });
    expect(shown).toMatchObject({ id: file.id, name: "note.txt", sizeBytes: 6, caseId: place.caseId, version: 0 });
    const { items } = await practice.api.files.list.query({ clientId: place.clientId });
    expect(items.find(({ id }) => id === file.id)).toEqual(shown);
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read", "documents.manage"] });
    for (const { api } of [staff, await aPractice(app)])
      expect(await refusal(api.files.get.query({ id: file.id }))).toMatchObject({ code: "NOT_FOUND" });
    await practice.api.files.remove.mutate({ ids: [file.id] });
    expect(await refusal(practice.api.files.get.query({ id: file.id }))).toMatchObject({ code: "NOT_FOUND" });
    await practice.api.files.restore.mutate({ ids: [file.id] });
    expect(await practice.api.files.get.query({ id: file.id })).toMatchObject({ id: file.id, name: "note.txt" });
  });

  test("POST /files: the same content is kept once for a practice, and apart for another", async () => {
    const before = await contents();
    const body = `same ${Math.random()}`;
    await upload(practice, body, { name: "a.txt" });
    await upload(practice, body, { name: "b.txt" });
    expect(await contents()).toBe(before + 1);
    const other = await aPractice(app);
    const { theCase, first } = await aCase(other);
    await upload(other, body, { clientId: first.id, caseId: theCase.id });
    expect(await contents()).toBe(before + 2);
  });

  test("POST /files: five at once with one content are five files and one content", async () => {
    const before = await contents();
    const body = `parallel ${Math.random()}`;
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, index) => upload(practice, body, { name: `${index}.txt` })),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await contents()).toBe(before + 1);
  });

  test.each([
    ["a page", "<script>alert(1)</script>", "x.html"],
    ["a drawing that can run", "<svg onload='x'/>", "x.svg"],
    ["a program", "MZ\u0090\u0000", "x.exe"],
    ["a page that calls itself a picture", "<html>", "x.png"],
    ["a picture that calls itself a PDF", PNG, "x.pdf"],
    ["a text with zeros", "a\u0000b", "x.txt"],
    ["another encoding", Buffer.from([0xff, 0xfe, 0x41, 0x00]), "x.csv"],
    ["nothing", "", "x.txt"],
    ["no extension", "hello", "readme"],
    ["a path", "hello", "../x.txt"],
    ["a virus", "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR" + "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*", "x.txt"],
  ])("POST /files: %s is refused, and nothing of it stays", async (_what, body, name) => {
    const before = await contents();
    const { status, message } = await upload(practice, body, { name });
    expect(status).toBe(400);
    expect(message).not.toBe("");
    expect([spooled(), await contents()]).toEqual([[], before]);
  });

  test("POST /files: a picture of too many pixels is refused", async () => {
    const huge = Buffer.from(PNG);
    huge.writeUInt32BE(50_000, 16);
    huge.writeUInt32BE(50_000, 20);
    expect((await upload(practice, huge, { name: "x.png" })).message).toContain("50 million pixels");
  });

  test("POST /files: a photo loses where and with what it was taken", async () => {
    const { status, file } = await upload(practice, aPhoto("GPS-CANARY"), { name: "photo.jpg" });
    expect(status).toBe(201);
    const bytes = Buffer.from(await (await read(practice, file.id)).arrayBuffer());
    expect(bytes.toString("latin1")).not.toContain("CANARY");
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0xff, 0xd8, 0xff, 0xc0]));
  });

  test("POST /files: one that breaks off leaves nothing", async () => {
    const before = await contents();
    const input = encodeURIComponent(
      JSON.stringify({ id: newId(), ...place, name: "x.txt", visibility: PRACTICE_ONLY }),
    );
    await new Promise<void>((resolve) => {
      const sending = request(`${app.url}/files?upload=${input}`, {
        method: "POST",
        headers: {
          origin: app.url,
          cookie: practice.cookies(),
          "content-type": "application/octet-stream",
          "content-length": "1000000",
        },
      });
      sending.on("error", () => resolve());
      sending.write("half of it");
      setTimeout(() => sending.destroy(), 150);
    });
    await expect.poll(spooled, { timeout: 3000 }).toEqual([]);
    expect(await contents()).toBe(before);
  });

  test("POST /files: what the practice has no space for is refused, once or five times at once, and nothing of it stays", async () => {
    const own = await aPractice(app);
    const { theCase, first } = await aCase(own);
    const at = { clientId: first.id, caseId: theCase.id };
    const kept = await upload(own, "there before", at);
    const before = await stored();
    await mongoose.connection
      .collection<{ _id: string }>("file_usage")
      .updateOne({ _id: own.ownerId }, { $set: { bytes: QUOTA_BYTES } });
    expect(await upload(own, "one more", at)).toMatchObject({
      status: 400,
      message: expect.stringContaining("storage is full"),
    });
    expect(await stored()).toEqual(before);
    await Promise.all(Array.from({ length: 5 }, () => upload(own, "five more", at)));
    expect(await stored()).toEqual(before);
    // What is there already takes no space a second time, and is still there.
    expect((await upload(own, "there before", { ...at, name: "again.txt" })).status).toBe(201);
    expect(await (await read(own, kept.file.id)).text()).toBe("there before");
  });

  test("POST /files: JSON, a form and a page of another site are refused", async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${app.url}/files?upload=%7B%7D`, {
        method: "POST",
        headers: { cookie: practice.cookies(), ...headers },
        body: "x",
      });
    expect((await send({ origin: app.url, "content-type": "application/json" })).status).toBe(415);
    expect((await send({ origin: app.url, "content-type": "multipart/form-data" })).status).toBe(415);
    expect((await send({ origin: "https://evil.example", "content-type": "application/octet-stream" })).status).toBe(
      403,
    );
  });

  test("storeFile: what is over the limit is refused while it arrives", async () => {
    const source = Readable.from([Buffer.alloc(600), Buffer.alloc(600)]);
    const input = { ...place, name: "x.txt", visibility: PRACTICE_ONLY };
    await expect(storeFile(scopeOf(practice.ownerId), source, input, { limitBytes: 1000 })).rejects.toThrow(
      /Send a smaller one/,
    );
    expect(spooled()).toEqual([]);
  });
});

describe("reading", () => {
  test("GET /files: ranges are answered as asked for, and one that is not there with 416", async () => {
    const { file } = await upload(practice, "0123456789");
    const part = async (range: string) => {
      const response = await read(practice, file.id, { range });
      return [response.status, response.headers.get("content-range"), await response.text()];
    };
    expect(await part("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await part("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await part("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await part("bytes=10-")).toEqual([416, "bytes */10", ""]);
    expect(await part("bytes=0-1,4-")).toEqual([200, null, "0123456789"]);
    expect(await part("bytes=4-2,0-1")).toEqual([206, "bytes 0-1/10", "01"]);
    expect(await part("lines=0-1")).toEqual([200, null, "0123456789"]);
    const etag = (await read(practice, file.id)).headers.get("etag") ?? "";
    const same = await read(practice, file.id, { range: "bytes=0-0", "if-range": etag });
    const changed = await read(practice, file.id, { range: "bytes=0-0", "if-range": '"older"' });
    expect([same.status, changed.status]).toEqual([206, 200]);
  });

  test("GET /files: one whose content is lost is told so, whole or in part, until the same one is uploaded", async () => {
    const body = `lost ${newId()}`;
    const { file } = await upload(practice, body);
    const blobId = (await FileModel.findOne({ ownerId: practice.ownerId, _id: file.id }).lean())?.blobId;
    await mongoose.connection.collection("blobs.files").deleteOne({ filename: blobId });
    for (const headers of [{}, { range: "bytes=0-1" }]) {
      const response = await read(practice, file.id, headers);
      expect([response.status, response.headers.get("content-range")]).toEqual([404, null]);
      expect(await response.text()).toContain("The content of this file is missing. Upload the same file once more");
    }
    expect((await upload(practice, body)).status).toBe(201);
    expect(await (await read(practice, file.id)).text()).toBe(body);
  });

  test("GET /files: a picture may be shown, a text is only ever downloaded", async () => {
    const picture = await upload(practice, PNG, { name: "x.png" });
    const text = await upload(practice, "hello");
    const kind = async (id: string) =>
      (await read(practice, id, {}, "?inline=true")).headers.get("content-disposition")?.split(";")[0];
    expect([await kind(picture.file.id), await kind(text.file.id)]).toEqual(["inline", "attachment"]);
  });

  test("GET /files: another practice's file, a range of it and an unknown one look the same", async () => {
    const { file } = await upload(practice, "hello");
    const stranger = await aPractice(app);
    const answers = await Promise.all([
      read(stranger, file.id),
      read(stranger, file.id, { range: "bytes=0-1" }),
      read(stranger, "unknown-file-0000000000"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
  });

  test("files: who may not read private notes sees neither the mediators' files nor a caucus', by any way", async () => {
    const staff = await aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "documents.manage"] });
    const mine = await upload(practice, "one", { name: "zebra-mediators.txt", visibility: MEDIATOR_ONLY });
    const caucus = await upload(practice, "two", { name: "zebra-caucus.txt", visibility: caucusOf(parties.p1) });
    const open = await upload(practice, "three", { name: "zebra-open.txt", visibility: forParty(parties.p1) });
    const { items } = await staff.api.files.list.query({ clientId: place.clientId, search: "zebra" });
    expect(items.map(({ name }) => name)).toEqual(["zebra-open.txt"]);
    const found = await staff.api.search.find.query({ text: "zebra" });
    expect(found.items.map(({ title }) => title)).toEqual(["zebra-open.txt"]);
    expect((await read(staff, mine.file.id)).status).toBe(404);
    expect((await read(staff, caucus.file.id)).status).toBe(404);
    expect((await read(staff, open.file.id)).status).toBe(200);
    expect(await refusal(staff.api.files.remove.mutate({ ids: [mine.file.id] }))).toMatchObject({ code: "NOT_FOUND" });
    const preview = await practice.api.partyView.preview.query({ caseId: place.caseId, partyId: parties.p2 });
    expect(JSON.stringify(preview)).not.toContain("zebra");
  });
});

describe("changes", () => {
  test("files.update: renames, tags, and refuses an older version and a reader who is no party", async () => {
    const { file } = await upload(practice, "hello");
    const change = { id: file.id, version: 0, name: "new.txt", tags: ["evidence"], visibility: PRACTICE_ONLY };
    expect(await practice.api.files.update.mutate(change)).toMatchObject({ name: "new.txt", tags: ["evidence"] });
    expect((await refusal(practice.api.files.update.mutate(change))).code).toBe("CONFLICT");
    const wrong = practice.api.files.update.mutate({ ...change, version: 1, visibility: forParty("nobody-there") });
    expect((await refusal(wrong)).code).toBe("BAD_REQUEST");
  });

  test("files.remove: can be undone, and is for good after thirty days, with its content", async () => {
    const own = await aPractice(app);
    const { theCase, first } = await aCase(own);
    const { file } = await upload(own, `gone ${Math.random()}`, { clientId: first.id, caseId: theCase.id });
    const listed = async () => (await own.api.files.list.query({ clientId: first.id })).items.length;
    await own.api.files.remove.mutate({ ids: [file.id] });
    expect(await listed()).toBe(0);
    await own.api.files.restore.mutate({ ids: [file.id] });
    expect(await listed()).toBe(1);
    await own.api.files.remove.mutate({ ids: [file.id] });
    const before = await contents();
    await passTime(34 * DAY_MS);
    await sweepFiles(createLogger("silent"));
    await own.api.auth.signIn.mutate({ email: own.email, password: PASSWORD, isRemembered: false });
    expect(await refusal(own.api.files.restore.mutate({ ids: [file.id] }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await contents()).toBe(before - 1);
  });
});

describe("names and what was deleted", () => {
  test("a deleted file: when its address is asked for, or it is changed or moved, it looks missing; brought back it is there", async () => {
    const { file } = await upload(practice, "words");
    const { id } = file;
    await practice.api.files.remove.mutate({ ids: [id] });
    expect((await read(practice, id)).status).toBe(404);
    expect((await read(practice, id, { range: "bytes=0-1" })).status).toBe(404);
    const change = { id, version: 1, name: "other.txt", tags: [], visibility: PRACTICE_ONLY };
    expect((await refusal(practice.api.files.update.mutate(change))).code).toBe("NOT_FOUND");
    expect((await refusal(practice.api.files.move.mutate({ ...place, ids: [id] }))).code).toBe("NOT_FOUND");
    await practice.api.files.restore.mutate({ ids: [id] });
    expect((await read(practice, id)).status).toBe(200);
  });

  test.each([
    ["a turned-around end", "statement\u202Egpj.txt", "statementgpj.txt"],
    ["an isolate", "a\u2066b\u2069.txt", "ab.txt"],
    ["marks of direction", "\u200Ea\u200F\u061C.txt", "a.txt"],
    ["signs without width", "a\u200B\u200D\uFEFF\u2060.txt", "a.txt"],
    ["tags", "a\u{E0041}\u{E007F}.txt", "a.txt"],
    ["variation selectors and fillers", "a\uFE0F\u3164\u115F.txt", "a.txt"],
    ["control characters", "a\u0007\u2028b.txt", "ab.txt"],
    ["ordinary foreign words", "Zeugnis Müller 证明 شهادة.txt", "Zeugnis Müller 证明 شهادة.txt"],
  ])("a file name: %s, when it is stored, is %s without what nobody sees", async (_what, name, kept) => {
    const { file } = await upload(practice, "words", { name });
    expect(file.name).toBe(kept);
    const header = (await read(practice, file.id)).headers.get("content-disposition") ?? "";
    expect(nameIn(header)).toBe(kept);
  });

  test("a file name: one that was stored before, when it is listed or downloaded, is cleaned on its way out", async () => {
    const { file } = await upload(practice, "words");
    const name = "old\u202Etxt.exe";
    await mongoose.connection.collection<{ _id: string }>("files").updateOne({ _id: file.id }, { $set: { name } });
    const header = (await read(practice, file.id)).headers.get("content-disposition") ?? "";
    expect(decodeURIComponent(header)).not.toContain("\u202E");
    const { items } = await practice.api.files.list.query({ clientId: place.clientId });
    expect(items.find(({ id }) => id === file.id)?.name).toBe("oldtxt.exe");
  });

  test("a file name: when nothing of it can be seen, it is refused", async () => {
    expect((await upload(practice, "words", { name: "\u202E\u200B" })).status).toBe(400);
  });
});
