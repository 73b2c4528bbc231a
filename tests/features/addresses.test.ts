// In a practice an address is a colleague's or somebody else's, also where both are entered at the same moment.
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@app/server/core/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContact, contactFields } from "../support/access/contacts-access.ts";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { AURINKO_CODE, startFakeAurinko } from "../support/mail/fake-aurinko.ts";
import { aClient, aPractice, clientFields, type TestPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { SMTP_PASSWORD, startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forgetAttempts } from "../support/server/lifetimes.ts";

/** How much later the second is sent, in milliseconds; below nothing, the other way round. */
const GAPS = [0, 0, 5, 10, 20, 40, -5, -15];

let practice: TestPractice;
const aurinko = forAllTests(startFakeAurinko);
const app = forAllTests(() => startTestApp({ ...aurinko.environment, MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
beforeEach(forgetAttempts);
beforeEach(async () => {
  practice = await aPractice(app);
});

let count = 0;
const freshAddress = () => `ada${(count += 1)}@example.org`;
const invite = (email: string) =>
  practice.api.staff.invite.mutate({ id: newId(), email, firstName: "Ada", lastName: "Reed", role: 3 });
const createClient = (email: string) => practice.api.clients.create.mutate(aClient({ email }));
const createContact = (email: string) => practice.api.contacts.create.mutate(aContact({ email }));

async function updateClient(email: string) {
  const { id, version } = await createClient(freshAddress());
  return (spelled = email) =>
    practice.api.clients.update.mutate({ id, version, client: clientFields({ email: spelled }) });
}
async function updateContact(email: string) {
  const { id, version } = await createContact(freshAddress());
  return () => practice.api.contacts.update.mutate({ id, version, contact: contactFields({ email }) });
}
const WRITERS: [string, (email: string) => Promise<() => Promise<unknown>>][] = [
  ["clients.create", async (email) => () => createClient(email)],
  ["contacts.create", async (email) => () => createContact(email.replace("@", "+post@"))],
  ["clients.update", updateClient],
  ["contacts.update", updateContact],
];

/** Which of two at once went through; the codes of the others. */
async function together(gap: number, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const codeAfter = async (ms: number, call: () => Promise<unknown>) => {
    await sleep(Math.max(ms, 0));
    const { message, code } = await refusal(call());
    return message === "was not refused" ? "done" : code;
  };
  return Promise.all([codeAfter(-gap, one), codeAfter(gap, other)]);
}
const ONE_OF_BOTH = ["BAD_REQUEST", "done"];

test.each(WRITERS)(
  "%s: an address that is invited at the same moment, then exactly one of both has it",
  async (_what, prepare) => {
    for (const gap of GAPS) {
      const email = freshAddress();
      const write = await prepare(email);
      expect((await together(gap, () => invite(email), write)).toSorted()).toEqual(ONE_OF_BOTH);
    }
  },
);

test("staff.invite: one address of one practice twenty times at once, then it is invited once", async () => {
  const email = freshAddress();
  const calls = await Promise.all(Array.from({ length: 20 }, () => refusal(invite(email))));
  expect(calls.filter(({ code }) => code === "")).toHaveLength(1);
  const { items } = await practice.api.staff.list.query();
  expect(items.filter((user) => user.email === email)).toHaveLength(1);
});

test("clients.create and contacts.create: one address eight times at once, then all are stored, for relatives share one", async () => {
  const email = freshAddress();
  const writes = Array.from({ length: 8 }, (_, index) => (index % 2 ? createClient(email) : createContact(email)));
  expect(await Promise.all(writes)).toHaveLength(8);
});

test("clients.create: the same address at once in another practice, then neither minds", async () => {
  const other = await aPractice(app);
  const email = freshAddress();
  const theirs = () => other.api.clients.create.mutate(aClient({ email }));
  expect(await together(0, () => invite(email), theirs)).toEqual(["done", "done"]);
});

describe("mailboxes.finishSignIn", () => {
  const connect = async () => {
    const { url } = await practice.api.mailboxes.startSignIn.mutate({ provider: "Google" });
    const state = new URL(url).searchParams.get("state") ?? "";
    return () => practice.api.mailboxes.finishSignIn.mutate({ status: "success", code: AURINKO_CODE, state });
  };

  test("a mailbox of the provider, when its address is entered for a client at the same moment, then one of both stands", async () => {
    for (const gap of GAPS) {
      practice = await aPractice(app);
      const { email } = aurinko.state.account;
      const both = await together(gap, await connect(), () => createClient(email));
      expect(both.toSorted()).toEqual(ONE_OF_BOTH);
    }
  });

  test("a mailbox of the provider, when it is a client's, is not connected, and nothing is kept of it", async () => {
    await createClient(aurinko.state.account.email);
    const { fields } = await refusal((await connect())());
    expect(fields["status"]).toContain("belongs to somebody else");
    expect((await practice.api.mailboxes.get.query()).connected).toBeNull();
  });
});

describe.skipIf(whyNoDovecot)("mailboxes.connect", () => {
  let dovecot: Dovecot;
  let smtp: TestSmtp;
  beforeAll(async () => {
    [dovecot, smtp] = await Promise.all([startDovecot(), startSmtp()]);
  });
  afterAll(() => Promise.all([dovecot.close(), smtp.close()]));

  test("a mailbox, when its address is entered for a client while its servers are tried, then one of both stands", async () => {
    for (const gap of [0, 30, 120]) {
      practice = await aPractice(app);
      const email = `ines${(count += 1)}@example.org`;
      const server = { host: "localhost", user: email };
      const servers = {
        imap: { ...server, port: dovecot.tlsPort, secure: true },
        smtp: { ...server, port: smtp.port, secure: false },
      };
      const input = { email, password: SMTP_PASSWORD, ca: dovecot.ca, servers };
      const both = await together(
        gap,
        () => practice.api.mailboxes.connect.mutate(input),
        () => createClient(email),
      );
      expect(both.toSorted()).toEqual(ONE_OF_BOTH);
    }
  });
});
