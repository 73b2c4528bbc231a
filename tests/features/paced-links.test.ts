// Links that anybody may ask for, to anybody's mailbox: nobody fills it with mail, and nobody keeps its holder from theirs.
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { mailWhatIsDue } from "@app/server/features/auth/mailbox-pace";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { beforeEach, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD } from "../support/server/people.ts";
import { moveTime } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forgetAttempts } from "../support/server/lifetimes.ts";
import { anSmtpForAll, installationMail } from "../support/mail/mail-for-tests.ts";

const MINUTE_MS = 60_000;
// What waits is looked through every ten seconds.
vi.setConfig({ testTimeout: 120_000 });
let count = 0;
const smtp = anSmtpForAll({ authOptional: true });
const app = forAllTests(() => startTestApp({ ...installationMail(smtp), TRUSTED_PROXIES: "loopback" }));
beforeEach(forgetAttempts);

const from = (network: number) => aVisitor(app, { "x-forwarded-for": `203.0.113.${network}` });
const opening = {
  firstName: "Norah",
  lastName: "Vale",
  practiceName: "Norahbridge",
  region: "england_wales" as const,
  mediatorType: "family" as const,
};
const register = (network: number, email: string, person = from(network)) =>
  person.api.auth.register.mutate({
    ...opening,
    email,
    firstName: "Mallory",
    practiceName: "WIN A PRIZE call 0900 16",
  });
/** Opens the practice of whoever holds the mailbox with the only link of this mail. */
async function open(mail = "") {
  const tokens = mail.match(/register\?token=[\w-]+/g) ?? [];
  expect(tokens).toHaveLength(1);
  const visitor = aVisitor(app);
  const token = tokens[0]?.split("=")[1] ?? "";
  await visitor.api.auth.confirmRegistration.mutate({ ...opening, token, password: PASSWORD });
  expect((await visitor.api.auth.status.query()).user?.practiceName).toBe("Norahbridge");
}
const mailbox = () => `nora${(count += 1)}@example.org`;
const plain = (source: string) => source.replace(/=\r\n/g, "").replaceAll("=3D", "=").replaceAll("\r\n", "\n");
/** What came to these addresses, the oldest first. */
const cameTo = (...emails: string[]) =>
  smtp.received.filter(({ to }) => to.some((one) => emails.includes(one))).map(({ source }) => plain(source));
const untilCame = (number: number, ...emails: string[]) =>
  vi.waitFor(() => expect(cameTo(...emails)).toHaveLength(number), { timeout: 30_000, interval: 200 });
/** Later whatever waits is looked through, without waiting for the round in which that happens by itself. */
async function later(ms: number): Promise<void> {
  moveTime(ms);
  await mailWhatIsDue();
}
/** Whatever waits is looked through once more, and has time to come. */
async function settle(): Promise<void> {
  await mailWhatIsDue();
  await new Promise((resolve) => setTimeout(resolve, 1500));
}

test("S76 auth.register: a mailbox, when others ask for it from sixty-four places and then its holder, gets one mail at once and one in five minutes, without a word of theirs", async () => {
  const email = mailbox();
  for (let network = 1; network <= 64; network += 1) await register(network, email);
  await untilCame(1, email);
  await register(99, email);
  // The round finds it by itself.
  moveTime(5 * MINUTE_MS + 7000);
  await untilCame(2, email);
  for (let network = 100; network <= 130; network += 1) await register(network, email);
  await settle();
  expect(cameTo(email)).toHaveLength(2);
  for (const mail of cameTo(email)) {
    expect(mail).not.toMatch(/Mallory|PRIZE|0900/);
    expect(mail.match(/https?:/g)).toHaveLength(1);
  }
  await later(10 * MINUTE_MS + 30_000);
  await untilCame(3, email);
  // The first, whoever asked for it, is the holder's as well as any.
  await open(cameTo(email)[0]);
});

test.each<[string, (email: string) => Promise<void>]>([
  ["nobody asks", () => Promise.resolve()],
  ["they ask again", async (email) => void (await register(1, email))],
  [
    "they go on asking from other places",
    async (email) => {
      for (let network = 2; network <= 15; network += 1) await register(network, email);
    },
  ],
])(
  "S73 auth.register: the holder's link, when a stranger asked before and then %s, is mailed within the pace and works",
  async (_what, goOn) => {
    const email = mailbox();
    await register(1, email);
    await untilCame(1, email);
    await register(99, email);
    await goOn(email);
    await later(5 * MINUTE_MS + 7000);
    await untilCame(2, email);
    await open(cameTo(email)[1]);
  },
);

test("auth.register: the holder, when others ask first with other spellings of the address, goes first", async () => {
  const email = mailbox();
  await register(1, email);
  await untilCame(1, email);
  const spelled = [1, 2, 3].map((number) => email.replace("@", `+${number}@`));
  for (const [at, spelling] of spelled.entries()) await register(at + 2, spelling);
  await register(99, email);
  await later(5 * MINUTE_MS + 7000);
  // What is for one address never goes to another.
  await untilCame(2, email);
  await settle();
  expect(cameTo(email, ...spelled)).toHaveLength(2);
});

test("auth.register: the mail that waits, when others ask at the moment it may leave, does not stand behind theirs", async () => {
  const email = mailbox();
  await register(1, email);
  await untilCame(1, email);
  await register(99, email);
  moveTime(5 * MINUTE_MS + 1);
  await register(2, email.replace("@", "+2@"));
  await mailWhatIsDue();
  await untilCame(2, email);
});

test("auth.requestPasswordReset: the holder's link, when a stranger asks after them with another spelling, is mailed within the pace", async () => {
  const { email } = await aPractice(app);
  const ask = (network: number, address = email) =>
    from(network).api.auth.requestPasswordReset.mutate({ email: address });
  for (let network = 1; network <= 8; network += 1) await ask(network);
  await untilCame(8, email);
  await ask(99);
  await ask(8, email.replace("@", "+x@"));
  await later(5 * MINUTE_MS + 7000);
  await untilCame(9, email);
});

test("auth.register: links and mails that were for a registration, when they are brought in, are for its address", async () => {
  const collection = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);
  for (const name of ["registrations", "registration_links", "paced_mails"]) await collection(name).deleteMany({});
  const email = mailbox();
  await register(1, email);
  await untilCame(1, email);
  await register(99, email);
  await register(98, email);
  const waiting = await collection("paced_mails").findOne({});
  const links = await collection("registration_links").find().toArray();
  const asked = await collection("registrations").find().sort({ expires_at: 1 }).toArray();
  const [first, second] = asked;
  // As they were: the token beside what was entered, and each for itself.
  await collection("registrations").updateOne({ _id: first?._id ?? "" }, { $set: { token_hash: links[0]?._id } });
  await collection("registration_links").deleteMany({});
  await collection("paced_mails").deleteMany({});
  const rows = [first, second].map((one) => ({ ...waiting, _id: `${String(waiting?.["mailbox"])}:of ${one?._id}` }));
  await collection("paced_mails").insertMany(rows);
  await collection("migrations").deleteMany({});
  await migrate(MIGRATIONS, createLogger("silent"));
  expect(await collection("paced_mails").countDocuments()).toBe(1);
  await later(5 * MINUTE_MS + 7000);
  await untilCame(2, email);
  await open(cameTo(email)[0]);
});
