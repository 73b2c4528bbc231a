// Gateway calls that come while the same is under way, and mails to people who do not know each other.
import { newId } from "@app/server/core/ids";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const INES = "ines@practice.example.org";
const SLOW_MS = 1500;

let practice: TestPractice;
let count = 0;
const smtp = anSmtpForAll({
  onData(stream, session, done) {
    void text(stream).then(async (source) => {
      count += 1;
      await sleep(SLOW_MS);
      const isFull = session.envelope.rcptTo.some(({ address }) => address.startsWith("full"));
      done(isFull ? Object.assign(new Error("The mailbox is full"), { responseCode: 552 }) : null, source.slice(0, 0));
    });
  },
});
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
beforeEach(async () => {
  count = 0;
  practice = await aPractice(app);
  await connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: await freePort() });
});

interface Called {
  to: string[];
  cc?: string[];
  key?: string;
  person?: { cookies(): string };
}

async function send({ to, cc = [], key, person = practice }: Called) {
  const message = {
    from: { name: "Ines", address: INES },
    to: to.map((address) => ({ address })),
    cc: cc.map((address) => ({ address })),
    subject: "",
    body: "Hello",
    attachments: [{ mimeType: "", name: "", content: "eA==" }],
  };
  const response = await fetch(`${app.url}/functions/imap-send`, {
    method: "POST",
    headers: {
      origin: app.url,
      cookie: person.cookies(),
      "content-type": "application/json",
      ...(key ? { "idempotency-key": key } : {}),
    },
    body: JSON.stringify({ userId: practice.ownerId, message }),
  });
  return { status: response.status, answer: await response.text() };
}

test.each([
  ["is taken", "zoe@example.net", 200],
  ["is refused", "full@example.net", 502],
])(
  "S76: a call that comes ten times while the first is under way, when that %s, is answered the same",
  async (_what, address, status) => {
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ to: [address], key })));
    const [first] = answers;
    expect(first?.status).toBe(status);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(count).toBe(1);
    expect((await send({ to: [address], key })).status).toBe(status);
    expect(count).toBe(1);
  },
);

test.each([
  ["to", (one: string, other: string) => ({ to: [one, other] })],
  ["cc", (one: string, other: string) => ({ to: [one], cc: [other] })],
  ["cc of somebody else's mail", (one: string, other: string) => ({ to: ["zoe@example.net"], cc: [one, other] })],
])("S68: two clients who do not know each other, when both stand in %s, get nothing", async (_where, called) => {
  const [one, other] = ["uma@example.net", "vic@example.net"] as const;
  await practice.api.clients.create.mutate(aClient({ email: one, firstName: "Uma" }));
  await practice.api.clients.create.mutate(aClient({ email: other, firstName: "Vic" }));
  const told = await send(called(one, other));
  expect([told.status, told.answer]).toEqual([409, expect.stringContaining("another client of yours")]);
  const person = await aStaffUser(app, practice, { permissions: ["mail.send"] });
  const hidden = await send({ ...called(one, other), person });
  expect(hidden.status).toBe(409);
  expect(hidden.answer).not.toMatch(/Uma|Vic/);
  expect(count).toBe(0);
});

test("S68: a client and somebody whom nobody here knows, when both are written to, get one mail", async () => {
  const { id } = await practice.api.clients.create.mutate(aClient({ email: "uma@example.net" }));
  expect(await send({ to: ["uma@example.net"], cc: ["zoe@example.net"] })).toMatchObject({ status: 200 });
  const { items } = await practice.api.outbox.list.query({ clientId: id, page: 1 });
  expect(items).toMatchObject([{ state: "sent", subject: "(no subject)", cc: ["zoe@example.net"] }]);
});
