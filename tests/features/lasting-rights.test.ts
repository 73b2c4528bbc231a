// What goes on for long asks again what whoever started it may do.
import { request } from "node:http";
import { newId } from "@app/server/core/ids";
import { startJobs, stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { epochsOfFeeds } from "@app/server/features/meetings/meetings.migration";
import type { Permission } from "@app/shared/access";
import { richTextOf } from "@app/shared/rich-text";
import { SHARED } from "@app/shared/visibility";
import mongoose from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { openEventStream } from "../support/server/event-stream.ts";
import { checked, settled, uploaded } from "../support/hostile/import-uploads.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import {
  aCase,
  aClient,
  aMeetingInput,
  aPractice,
  aStaffUser,
  aVisitor,
  PASSWORD,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { pathsOf } from "../support/access/procedures.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const log = createLogger("silent");
const IMPORTS: Permission[] = ["clients.read", "clients.write", "data.export"];
const LIST = "First name,Surname\nMaya,Ellery\nOwen,Castell\n";
const WITHIN_MS = 5000;
/** Long enough for the server to have asked who sends. */
const HALFWAY_MS = 300;

const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forEachTest(() => aPractice(app));

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";

async function storedOne(collection: string, _id: string): Promise<Record<string, unknown>> {
  const found = await mongoose.connection.collection<{ _id: string }>(collection).findOne({ _id });
  return { ...found };
}

const setSubscription = (status: string) =>
  mongoose.connection
    .collection<{ _id: string }>("customers")
    .updateOne({ _id: practice.ownerId }, { $set: { "subscriptions.0.status": status } });

/** How somebody loses what they may do, each way by itself. */
const LOSSES: Record<string, (person: TestPerson) => Promise<unknown>> = {
  "the permission is taken": (person) => setPermissions(practice, person, ["clients.read"]),
  "they are suspended": async (person) => practice.api.staff.suspend.mutate({ id: await idOf(person) }),
  "the subscription ends": () => setSubscription("past_due"),
};

/** Begins to send a body, lets something happen, and sends the rest. */
function halfway(person: TestPerson, address: string, meanwhile: () => Promise<unknown>): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" };
    const sent = request(`${app.url}${address}`, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject);
    sent.write("First name,Surname\n");
    setTimeout(() => void meanwhile().then(() => sent.end("Half,Way\n"), reject), HALFWAY_MS);
  });
}

describe("S71: an upload that is under way", () => {
  const LOST: Record<string, { lose: (person: TestPerson, caseId: string) => Promise<unknown>; status: number }> = {
    "they are suspended": { lose: (person) => LOSSES["they are suspended"]?.(person) ?? Promise.reject(), status: 401 },
    "the permission is taken": { lose: (person) => setPermissions(practice, person, ["clients.read"]), status: 403 },
    "the subscription ends": { lose: () => setSubscription("past_due"), status: 402 },
    "they are taken off the case": {
      lose: (_person, _id) =>
        mongoose.connection.collection<{ _id: string }>("cases").updateOne({ _id }, { $set: { assignedUserIds: [] } }),
      status: 404,
    },
  };
  test.each(Object.entries(LOST))("stores no file, when %s meanwhile", async (_name, { lose, status }) => {
    const person = await aStaffUser(app, practice, {
      permissions: ["clients.read", "documents.manage", "assigned_only"],
    });
    const { theCase, first } = await aCase(practice, { staffIds: [await idOf(person)] });
    const upload = { id: newId(), name: "papers.txt", clientId: first.id, caseId: theCase.id, visibility: SHARED };
    const address = `/files?upload=${encodeURIComponent(JSON.stringify(upload))}`;
    expect(await halfway(person, address, () => lose(person, theCase.id))).toBe(status);
    expect(await mongoose.connection.collection("files").countDocuments({ caseId: theCase.id })).toBe(0);
  });

  test.each(Object.entries(LOSSES))("stores nothing to import, when %s meanwhile", async (_name, lose) => {
    const person = await aStaffUser(app, practice, { permissions: IMPORTS });
    const upload = { id: newId(), kind: "clients", name: "list.csv" };
    const address = `/imports?upload=${encodeURIComponent(JSON.stringify(upload))}`;
    expect(await halfway(person, address, () => lose(person))).toBeGreaterThan(400);
    expect(await mongoose.connection.collection("imports").countDocuments({ ownerId: practice.ownerId })).toBe(0);
  });
});

describe("S71: an import", () => {
  test.each(Object.entries(LOSSES))("stops, when %s before its next piece, and says so", async (_name, lose) => {
    const person = await aStaffUser(app, practice, { permissions: IMPORTS });
    const id = await uploaded(app, person, LIST);
    await checked(person.api, id);
    await stopJobs();
    await person.api.imports.start.mutate({ id });
    await lose(person);
    await startJobs(log);
    await vi.waitFor(
      async () => {
        const doc = await storedOne("imports", id);
        expect(doc["status"]).toBe("mapping");
        expect(doc["failure"]).toContain("may not import any more");
      },
      { timeout: WITHIN_MS * 2, interval: 50 },
    );
    await setSubscription("active");
    expect((await practice.api.clients.list.query({})).total).toBe(0);
  });

  test("is its uploader's and the owner's: a colleague neither sees nor starts nor undoes it", async () => {
    const person = await aStaffUser(app, practice, { permissions: IMPORTS });
    const colleague = await aStaffUser(app, practice, { permissions: IMPORTS });
    const id = await uploaded(app, person, LIST);
    await checked(person.api, id);
    const missing = { code: "NOT_FOUND" };
    const { imports } = colleague.api;
    expect((await imports.list.query({ page: 1 })).total).toBe(0);
    expect(await refusal(imports.get.query({ id }))).toMatchObject(missing);
    expect(await refusal(imports.listProblems.query({ id, page: 1 }))).toMatchObject(missing);
    expect(await refusal(imports.start.mutate({ id }))).toMatchObject(missing);
    await practice.api.imports.start.mutate({ id });
    expect(await settled(practice.api, id)).toMatchObject({ status: "imported" });
    expect(await refusal(imports.undo.mutate({ id, keepsChanged: false }))).toMatchObject(missing);
    const [made] = (await practice.api.clients.list.query({})).items;
    expect((await storedOne("clients", made?.id ?? ""))["createdBy"]).toBe(practice.ownerId);
  });
});

describe("S71: a mailing", () => {
  const mailing = { subject: "We move", body: richTextOf("Our new address"), perMinute: 0 };

  test.each(Object.entries(LOSSES))("stops, when %s of who started it, and sends nothing", async (_name, lose) => {
    await connectMailbox(practice.ownerId, { email: "ines@quill.example.org", smtpPort: smtp.port, imapPort: 1 });
    smtp.received.splice(0);
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const source = { kind: "csv" as const, csv: "value\npriya@example.org\nowen@example.org\n" };
    const { id } = await person.api.mailings.create.mutate({ id: newId(), ...mailing, source });
    await stopJobs();
    await person.api.mailings.start.mutate({ changeId: newId(), id });
    await lose(person);
    await startJobs(log);
    await vi.waitFor(
      async () => {
        const doc = await storedOne("mailings", id);
        expect(doc["state"]).toBe("paused");
        expect(doc["reason"]).toContain("may not send it any more");
      },
      { timeout: WITHIN_MS * 2, interval: 50 },
    );
    expect(smtp.received).toHaveLength(0);
  });
});

describe("S71: a mailing to clients", () => {
  const mailing = { subject: "We move", body: richTextOf("Our new address"), perMinute: 0 };

  test("stops, when who started it may not see clients any more, is not begun by such a person, and goes on by others", async () => {
    await connectMailbox(practice.ownerId, { email: "ines@quill.example.org", smtpPort: smtp.port, imapPort: 1 });
    smtp.received.splice(0);
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "mail.read", "clients.read"] });
    const { first, second } = await aCase(practice);
    const source = { kind: "clients" as const, clientIds: [first.id, second.id] };
    const { id } = await person.api.mailings.create.mutate({ id: newId(), ...mailing, source });
    await stopJobs();
    await person.api.mailings.start.mutate({ changeId: newId(), id });
    await setPermissions(practice, person, ["mail.send", "mail.read"]);
    await startJobs(log);
    const stateOf = async () => (await storedOne("mailings", id))["state"];
    await vi.waitFor(async () => expect(await stateOf()).toBe("paused"), { timeout: WITHIN_MS * 2, interval: 50 });
    expect((await storedOne("mailings", id))["reason"]).toContain("may not send it any more");
    const refused = { code: "FORBIDDEN", message: expect.stringContaining("You may not see clients") };
    expect(await refusal(person.api.mailings.start.mutate({ changeId: newId(), id }))).toMatchObject(refused);
    const [item] = await mongoose.connection.collection("mailing_items").find({ mailingId: id }).toArray();
    const again = { changeId: newId(), mailingId: id, id: String(item?._id) };
    expect(await refusal(person.api.mailings.resend.mutate(again))).toMatchObject(refused);
    expect(smtp.received).toHaveLength(0);
    await practice.api.mailings.start.mutate({ changeId: newId(), id });
    await vi.waitFor(async () => expect(await stateOf()).toBe("done"), { timeout: WITHIN_MS * 2, interval: 50 });
    expect(smtp.received).toHaveLength(2);
  });
});

describe("S71: an event stream", () => {
  const endsOf: Record<string, (person: TestPerson) => Promise<unknown>> = {
    ...LOSSES,
    "they sign out": ({ api }) => api.auth.signOut.mutate(),
    "their device is signed out from elsewhere": async ({ email }) => {
      const { api } = aVisitor(app);
      await api.auth.signIn.mutate({ email, password: PASSWORD, isRemembered: false });
      await api.auth.signOutEverywhere.mutate();
    },
  };

  test.each(Object.entries(endsOf))("inbox.onNews ends within five seconds, when %s", async (_name, lose) => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read"] });
    await connectMailbox(await idOf(person), { email: "tom@quill.example.org", smtpPort: smtp.port, imapPort: 1 });
    const stream = await openEventStream(app, person, "inbox.onNews");
    await stream.next({ count: 0 });
    await lose(person);
    const late = new Promise((resolve) => setTimeout(resolve, WITHIN_MS, "late").unref());
    expect(await Promise.race([stream.ended, late])).not.toBe("late");
    expect(stream.events).toHaveLength(1);
  });

  test("every stream there is ends, when its person is suspended", async () => {
    for (const path of pathsOf("subscription")) {
      const person = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read"] });
      await connectMailbox(await idOf(person), { email: "tom@quill.example.org", smtpPort: smtp.port, imapPort: 1 });
      const stream = await openEventStream(app, person, path);
      await vi.waitFor(() => expect(stream.events.length).toBeGreaterThan(0), { timeout: WITHIN_MS });
      await practice.api.staff.suspend.mutate({ id: await idOf(person) });
      const late = new Promise((resolve) => setTimeout(resolve, WITHIN_MS, "late").unref());
      expect({ path, end: await Promise.race([stream.ended, late]) }).not.toMatchObject({ end: "late" });
    }
  });
});

describe("S71: an export", () => {
  test("breaks off, when the permission is taken in the middle", async () => {
    const person = await aStaffUser(app, practice, { permissions: IMPORTS });
    await practice.api.clients.create.mutate(aClient());
    const clients = mongoose.connection.collection<{ _id: string }>("clients");
    const made = await clients.findOne({ ownerId: practice.ownerId });
    // Long enough that it does not fit between server and reader at once.
    const tags = ["x".repeat(40_000)];
    const many = Array.from({ length: 1500 }, (_, index) => ({ ...made, _id: `many-${index}`, tags }));
    await clients.insertMany(many);
    const response = await fetch(`${app.url}/export/clients.csv`, { headers: { cookie: person.cookies() } });
    const reader = response.body?.getReader();
    await reader?.read();
    await setPermissions(practice, person, ["clients.read"]);
    await expect(
      (async () => {
        for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read());
      })(),
    ).rejects.toThrow();
    await clients.deleteMany({ ownerId: practice.ownerId });
  });
});

describe("S71: a calendar feed", () => {
  test.each(Object.entries(LOSSES).filter(([name]) => name !== "the permission is taken"))(
    "is gone, when %s",
    async (_name, lose) => {
      const person = await aStaffUser(app, practice, { permissions: ["clients.read", "calendar.manage"] });
      const { address } = await person.api.meetings.makeFeed.mutate({ level: "full" });
      const ask = () => fetch(app.url + new URL(address).pathname);
      expect((await ask()).status).toBe(200);
      await lose(person);
      expect((await ask()).status).toBe(404);
    },
  );

  test("S42: is gone, when its person chose a new password; then it can be made anew, and one from before goes on", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "calendar.manage"] });
    const { address } = await person.api.meetings.makeFeed.mutate({ level: "full" });
    const feeds = mongoose.connection.collection<{ _id: string }>("calendar_feeds");
    await feeds.updateOne({ _id: await idOf(person) }, { $unset: { epoch: "" } });
    await epochsOfFeeds(createLogger("silent"));
    const ask = (at = address) => fetch(app.url + new URL(at).pathname);
    expect((await ask()).status).toBe(200);
    const next = "a lantern on the quiet harbour";
    await person.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: next });
    expect([(await ask()).status, await person.api.meetings.feed.query()]).toEqual([404, null]);
    const made = await person.api.meetings.makeFeed.mutate({ level: "full" });
    expect((await ask(made.address)).status).toBe(200);
  });

  test("is gone with clients.read, and shows what its person now sees where they see less", async () => {
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "calendar.manage"] });
    const { id } = await practice.api.clients.create.mutate(aClient({ lastName: "Canarywharf" }));
    const startsAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
    await practice.api.meetings.create.mutate(aMeetingInput(await idOf(person), { clientId: id, startsAt }));
    const { address } = await person.api.meetings.makeFeed.mutate({ level: "full" });
    const ask = () => fetch(app.url + new URL(address).pathname);
    expect(await (await ask()).text()).toContain("Canarywharf");
    await setPermissions(practice, person, ["clients.read", "assigned_only"]);
    expect(await (await ask()).text()).not.toContain("Canarywharf");
    await setPermissions(practice, person, ["calendar.manage"]);
    expect((await ask()).status).toBe(404);
  });
});
