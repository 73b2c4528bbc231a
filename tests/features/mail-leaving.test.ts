// What is asked in the moment in which a mail leaves: by whose mailbox, with whose rights, and beside whose other mail.
import { newId } from "@app/server/core/ids";
import { richTextOf } from "@app/shared/rich-text";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { connectMailbox } from "../support/mailbox.ts";
import { aPractice, aStaffUser, type TestPerson, type TestPractice } from "../support/people.ts";
import { startSmtp, type TestSmtp } from "../support/smtp-server.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const INES = "ines@practice.example.org";

let app: TestApp;
let smtp: TestSmtp;
let practice: TestPractice;
beforeAll(async () => {
  smtp = await startSmtp();
  app = await startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" });
});
beforeEach(async () => {
  practice = await aPractice(app);
  await connect(practice.ownerId, INES);
});
afterEach(() => {
  vi.restoreAllMocks();
  smtp.received.length = 0;
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

const connect = (userId: string, email: string, smtpPort = smtp.port) =>
  connectMailbox(userId, { email, smtpPort, imapPort: 1 });

async function idOf({ email }: Pick<TestPerson, "email">): Promise<string> {
  const { items } = await practice.api.users.list.query();
  return items.find((user) => user.email === email)?.id ?? "";
}

describe("the mailbox by which a mailing leaves", () => {
  const TOM = "tom@practice.example.org";
  const csv = (count: number) =>
    ["value", ...Array.from({ length: count }, (_, at) => `person${at}@example.org`)].join("\n");

  const aMailing = (person: Pick<TestPerson, "api">, { count, perMinute }: { count: number; perMinute: number }) =>
    person.api.mailings.create.mutate({
      id: newId(),
      subject: "We move",
      body: richTextOf("Our new address is 4 Kiln Row."),
      perMinute,
      source: { kind: "csv", csv: csv(count) },
    });

  const settled = (id: string) =>
    vi.waitFor(
      async () => {
        const mailing = await practice.api.mailings.get.query({ id });
        expect(mailing.state).toMatch(/done|paused/);
        return mailing;
      },
      { timeout: 15_000, interval: 50 },
    );
  const writers = () => [...new Set(smtp.received.map(({ from }) => from))];

  test.each<[string, (userId: string) => Promise<unknown>]>([
    ["shares nothing", () => Promise.resolve()],
    ["was suspended", (id) => practice.api.users.suspend.mutate({ id })],
  ])("S73: is that of whoever started it, where its writer %s", async (_what, happens) => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const userId = await idOf(person);
    await connect(userId, TOM);
    const { id } = await aMailing(person, { count: 3, perMinute: 0 });
    await happens(userId);
    await practice.api.mailings.start.mutate({ id, changeId: newId() });
    expect(await settled(id)).toMatchObject({ state: "done", counts: { sent: 3 } });
    expect(writers()).toEqual([INES]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["is not shared any more", () => practice.api.mailboxes.share.mutate({ maySend: false, mayRead: false })],
    ["is disconnected", () => practice.api.mailboxes.disconnect.mutate()],
  ])("S73: is asked for anew while it runs: where it %s, the rest stays and says why", async (_what, happens) => {
    const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const { id } = await aMailing(person, { count: 60, perMinute: 120 });
    await person.api.mailings.start.mutate({ id, changeId: newId() });
    await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(0), { timeout: 5000, interval: 20 });
    await happens();
    const { state, reason, counts } = await settled(id);
    expect({ state, reason }).toEqual({ state: "paused", reason: expect.stringContaining("the mailbox") });
    expect(counts.waiting).toBeGreaterThan(30);
    expect(smtp.received).toHaveLength(counts.sent);
  });
});
