// Links that anybody may ask for, to anybody's mailbox: nobody fills it with mail, and nobody keeps its holder from theirs.
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD } from "../support/people.ts";
import { moveTime } from "../support/refusal.ts";
import { startSmtp, type TestSmtp } from "../support/smtp-server.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const MINUTE_MS = 60_000;
// What waits is looked through every ten seconds.
vi.setConfig({ testTimeout: 120_000 });
let smtp: TestSmtp;
let app: TestApp;
let count = 0;
beforeAll(async () => {
  smtp = await startSmtp({ authOptional: true });
  app = await startTestApp({
    MAIL_ALLOW_PRIVATE_HOSTS: "true",
    SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    TRUSTED_PROXIES: "loopback",
  });
});
beforeEach(async () => {
  await mongoose.connection.collection("rate_limits").deleteMany({});
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

const from = (network: number) => aVisitor(app, { "x-forwarded-for": `203.0.113.${network}` });
const register = (network: number, email: string, firstName = "Mallory") =>
  from(network).api.auth.register.mutate({
    firstName,
    lastName: "Vale",
    email,
    password: PASSWORD,
    practiceName: `${firstName}bridge`,
    region: "england_wales",
    mediatorType: "family",
  });
const mailbox = () => `nora${(count += 1)}@example.org`;
const plain = (source: string) => source.replace(/=\r\n/g, "").replaceAll("=3D", "=").replaceAll("\r\n", "\n");
/** What came to these addresses, the oldest first. */
const cameTo = (...emails: string[]) =>
  smtp.received.filter(({ to }) => to.some((one) => emails.includes(one))).map(({ source }) => plain(source));
const untilCame = (number: number, ...emails: string[]) =>
  vi.waitFor(() => expect(cameTo(...emails)).toHaveLength(number), { timeout: 30_000, interval: 200 });
/** The link below the practice that this person registered. */
const tokenOf = (mail: string, firstName: string) =>
  new RegExp(`(?:Hello|${firstName}bridge, registered by) ${firstName}[^]*?register\\?token=([\\w-]+)`).exec(
    mail,
  )?.[1] ?? "";

async function eightOfStrangers(email: string) {
  for (let network = 1; network <= 8; network += 1) await register(network, email);
  await untilCame(8, email);
}

test.each<[string, (email: string) => Promise<void>]>([
  ["one of them asks again", async (email) => void (await register(8, email))],
  ["another asks", async (email) => void (await register(9, email))],
  [
    "they go on asking from all their places",
    async (email) => {
      for (let network = 1; network <= 15; network += 1) await register(network, email);
    },
  ],
])(
  "auth.register: the holder's link, when strangers used up what leaves at once and then %s, is mailed within the pace and works",
  async (_what, goOn) => {
    const email = mailbox();
    await eightOfStrangers(email);
    await register(99, email, "Norah");
    await goOn(email);
    moveTime(5 * MINUTE_MS + 7000);
    await untilCame(9, email);
    const token = tokenOf(cameTo(email).at(-1) ?? "", "Norah");
    await aVisitor(app).api.auth.confirmRegistration.mutate({ token, password: PASSWORD });
  },
);

test("auth.register: a mailbox, when strangers ask for it from forty places, gets eight mails and one in five minutes", async () => {
  const email = mailbox();
  for (let network = 1; network <= 40; network += 1) await register(network, email);
  await untilCame(8, email);
  moveTime(5 * MINUTE_MS + 7000);
  await untilCame(9, email);
  moveTime(9 * MINUTE_MS);
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  expect(cameTo(email)).toHaveLength(9);
  moveTime(10 * MINUTE_MS + 30_000);
  await untilCame(10, email);
  const tokens = cameTo(email).flatMap((mail) => mail.match(/register\?token=[\w-]+/g) ?? []);
  expect(new Set(tokens).size).toBe(40);
});

test("auth.register: whoever asks for the first time, when others ask again with other spellings of the address, goes first", async () => {
  const email = mailbox();
  await eightOfStrangers(email);
  const spelled = [1, 2, 3].map((number) => email.replace("@", `+${number}@`));
  await register(99, email, "Norah");
  for (const spelling of spelled) await register(1, spelling);
  moveTime(5 * MINUTE_MS + 7000);
  await untilCame(9, email, ...spelled);
  const mail = cameTo(email).at(-1) ?? "";
  expect(mail).toContain("Norah");
  // What is for one address never goes to another.
  expect(mail.match(/register\?token=/g)).toHaveLength(1);
});

test("auth.requestPasswordReset: the holder's link, when a stranger asks after them with another spelling, is mailed within the pace", async () => {
  const { email } = await aPractice(app);
  const ask = (network: number, address = email) =>
    from(network).api.auth.requestPasswordReset.mutate({ email: address });
  for (let network = 1; network <= 8; network += 1) await ask(network);
  await untilCame(8, email);
  await ask(99);
  await ask(8, email.replace("@", "+x@"));
  moveTime(5 * MINUTE_MS + 7000);
  await untilCame(9, email);
});

test("auth.register: what waited before each waited for itself, when it is brought in, is mailed", async () => {
  const email = mailbox();
  await eightOfStrangers(email);
  await register(99, email, "Norah");
  const waiting = mongoose.connection.collection<{ _id: string; [field: string]: unknown }>("paced_mails");
  const asked = await waiting.findOne({}, { sort: { asked_at: -1 } });
  await waiting.deleteMany({});
  await waiting.insertOne({
    _id: String(asked?.["mailbox"]),
    kind: "register",
    about: asked?.["about"],
    due_at: asked?.["due_at"],
  });
  await mongoose.connection.collection("migrations").deleteMany({});
  await migrate(MIGRATIONS, createLogger("silent"));
  moveTime(5 * MINUTE_MS + 7000);
  await untilCame(9, email);
  expect(cameTo(email).at(-1)).toContain("Hello Norah");
});
