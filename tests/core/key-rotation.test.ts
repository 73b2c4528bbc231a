import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import "@app/server/app-router";
import { currentMark, decrypt, encrypt, keyedHash, loadKey } from "@app/server/core/crypto";
import { checkKey } from "@app/server/core/key-check";
import { resealAll, sealedFields } from "@app/server/core/sealed-fields";
import { configure, settings } from "@app/server/core/settings";
import { mailboxOf } from "@app/server/features/mailboxes/mailbox-access.service";
import mongoose from "mongoose";
import { afterAll, beforeEach, expect, test } from "vitest";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aCaseInput, aClient, aPractice } from "../support/server/people.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

const SERVER = path.resolve(import.meta.dirname, "../../server/src");
const [FIRST, SECOND, THIRD] = ["first", "second", "third"].map((word) => `${word} key `.padEnd(40, "."));

let app: TestApp;
beforeEach(async () => {
  await app?.close();
  app = await startTestApp({ SECRET_KEY: FIRST ?? "" });
});
afterAll(() => app.close());

/** A start of the server with these keys, as far as keys go. */
async function restart(current = "", ...previous: (string | undefined)[]): Promise<void> {
  configure({ ...settings(), SECRET_KEY: current, SECRET_KEY_PREVIOUS: previous.map((key) => key ?? "") });
  await loadKey();
  await checkKey();
}

async function someMailboxes(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `person-${index}`);
  for (const id of ids) await connectMailbox(id, { email: `${id}@example.org`, smtpPort: 465, imapPort: 993 });
  return ids;
}

const credentials = () => mongoose.connection.collection("email_credentials").find().toArray();
const marksOf = (value: unknown) => new Set(JSON.stringify(value).match(/v\d\.[\w-]{8}\./g));

test("resealAll: afterwards nothing needs the key of before, and everything reads as it was", async () => {
  const ids = await someMailboxes(3);
  const hash = keyedHash("recovery:x");
  await restart(SECOND, FIRST);
  expect(await resealAll()).toEqual({ resealed: 7, unreadable: [] });
  await restart(SECOND);
  for (const id of ids)
    expect(await mailboxOf(id)).toMatchObject({ imap: { password: "secret" }, smtp: { password: "secret" } });
  expect(marksOf(await credentials())).toEqual(new Set([currentMark()]));
  expect(keyedHash("recovery:x")).toBe(hash);
});

test("resealAll: ended half-way and begun again, it does the rest; both keys read meanwhile", async () => {
  const ids = await someMailboxes(4);
  await restart(SECOND, FIRST);
  let left = 3;
  await expect(resealAll(() => stopAfter(--left))).rejects.toThrow("killed");
  expect(marksOf(await credentials()).size).toBe(2);
  for (const id of ids) expect((await mailboxOf(id))?.imap.password).toBe("secret");
  expect((await resealAll()).resealed).toBe(9 - 3);
  expect((await resealAll()).resealed).toBe(0);
  await restart(SECOND);
  for (const id of ids) expect((await mailboxOf(id))?.smtp.password).toBe("secret");
});

function stopAfter(left: number): void {
  if (left === 0) throw new Error("killed");
}

test("resealAll: what is saved while it runs is neither lost nor undone", async () => {
  await someMailboxes(20);
  await restart(SECOND, FIRST);
  const saved: Promise<unknown>[] = [];
  await resealAll(() => {
    const place = "email_credentials:person-19:imap";
    const fresh = { "imap.secret_enc": encrypt("newer", place) };
    const people = mongoose.connection.collection<{ _id: string }>("email_credentials");
    if (saved.length === 0) saved.push(people.updateOne({ _id: "person-19" }, { $set: fresh }));
  });
  await Promise.all(saved);
  await restart(SECOND);
  expect((await mailboxOf("person-19"))?.imap.password).toBe("newer");
  expect((await mailboxOf("person-18"))?.imap.password).toBe("secret");
});

test("resealAll: a text that opens with no key is told, and keeps nothing else back", async () => {
  await someMailboxes(2);
  const swapped = encrypt("x", "email_credentials:somebody-else:imap");
  await mongoose.connection
    .collection<{ _id: string }>("email_credentials")
    .updateOne({ _id: "person-0" }, { $set: { "imap.secret_enc": swapped } });
  await restart(SECOND, FIRST);
  expect(await resealAll()).toEqual({
    resealed: 4,
    unreadable: [{ collection: "email_credentials", id: "person-0", path: "imap.secret_enc" }],
  });
});

test("resealAll: screenings, mails and authenticators are sealed anew too", async () => {
  const { api } = await aPractice(app);
  const [first, second] = [await api.clients.create.mutate(aClient()), await api.clients.create.mutate(aClient())];
  await api.casework.create.mutate(aCaseInput([first.id, second.id]));
  await api.auth.startTwoFactor.mutate({ password: "quiet harbour lantern moss" });
  await restart(SECOND, FIRST);
  await resealAll();
  expect(await sealedAnywhere()).toEqual([currentMark()]);
});

/** The marks of everything sealed in any collection, whether or not anybody remembered to register it. */
async function sealedAnywhere(): Promise<string[]> {
  const collections = await mongoose.connection.listCollections();
  const docs = await Promise.all(collections.map(({ name }) => mongoose.connection.collection(name).find().toArray()));
  return [...marksOf(docs)];
}

test("decrypt: a text of the first version, which names no key, is still read", async () => {
  const place = "screenings:o:1";
  const old = `v1.${encrypt("said", place).split(".")[2]}`;
  expect(decrypt(old, place)).toBe("said");
  await restart(SECOND, THIRD, FIRST);
  expect(decrypt(old, place)).toBe("said");
});

test("decrypt: a text that was moved to another row or changed does not open", () => {
  const sealed = encrypt("said", "screenings:o:1");
  expect(() => decrypt(sealed, "screenings:o:2")).toThrow();
  expect(() => decrypt(`${sealed.slice(0, -2)}AA`, "screenings:o:1")).toThrow();
});

test("checkKey: a start with another key is refused in one line", async () => {
  await expect(restart(SECOND)).rejects.toThrow(/^this data was written with another key\. Set SECRET_KEY[^\n]+$/);
  await expect(restart(SECOND, THIRD)).rejects.toThrow(/another key/);
  await restart(FIRST);
});

test("encrypt: the place of everything that a feature seals is registered where it is named", () => {
  const features = path.join(SERVER, "features");
  const names = readdirSync(features, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const sources = names.map((name) => readFileSync(path.join(features, name), "utf8"));
  const sealing = sources.filter((source) => /\bencrypt\(/.test(source));
  expect(sealing.length).toBeGreaterThan(5);
  for (const source of sealing) {
    const places = [...source.matchAll(/\bencrypt\([^;]*?\b(\w*[pP]lace\w*)\(/g)].map(([, name]) => name);
    expect(places).not.toEqual([]);
    for (const place of places) {
      const isNamed = (one: string) => new RegExp(`const ${place} =`).test(one);
      const registration = new RegExp(`defineSealedField\\([^;]*placeOf: [^;]*\\b${place}\\(`);
      expect([source, ...sources].find(isNamed)).toMatch(registration);
    }
  }
  const fields = sealedFields().map(({ collection, path: at }) => `${collection}.${at}`);
  expect(new Set(fields).size).toBe(fields.length);
});
