// An address is its holder's: an invitation keeps nobody from it, and tells nobody whether it has an account.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { beforeEach, expect, test, vi } from "vitest";
import { aClient, aPractice, aVisitor, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forgetAttempts } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const DAY_MS = 24 * 60 * 60_000;

let squatter: TestPractice;
let count = 0;
const smtp = anSmtpForAll({ authOptional: true });
const app = forAllTests(() =>
  startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }),
);
beforeEach(forgetAttempts);
beforeEach(async () => {
  squatter = await aPractice(app);
});

const freshAddress = () => `vera${(count += 1)}@example.org`;
const invite = ({ api }: TestPractice, email: string) =>
  api.staff.invite.mutate({ id: newId(), email, firstName: "Vera", lastName: "Lind", role: 3 });
const accept = (token: string) =>
  aVisitor(app).api.auth.acceptInvitation.mutate({ token, firstName: "Vera", lastName: "Lind", password: PASSWORD });
const registration = (email: string) => ({
  firstName: "Vera",
  lastName: "Lind",
  email,
  practiceName: "Lindbridge",
  region: "england_wales" as const,
  mediatorType: "family" as const,
});

/** The mails to an address, once there are so many, the oldest first. */
const mailsTo = (email: string, wanted = 1) =>
  vi.waitFor(
    () => {
      const mails = smtp.received.filter(({ to }) => to.includes(email));
      expect(mails.length).toBe(wanted);
      return mails.map(({ source }) => source.replace(/=\r\n/g, "").replaceAll("=3D", "=").replace(/\s+/g, " "));
    },
    { timeout: 15_000, interval: 100 },
  );
const tokenIn = (mail = "") => /\?token=([\w-]+)/.exec(mail)?.[1] ?? "";

/** Registers and follows the link that comes, so many mails having come before it. */
async function opensAPractice(email: string, before: number) {
  await aVisitor(app).api.auth.register.mutate(registration(email));
  const mail = (await mailsTo(email, before + 1)).at(-1) ?? "";
  expect(mail).toContain("/register?token=");
  const visitor = aVisitor(app);
  const { email: _proved, ...entered } = registration(email);
  await visitor.api.auth.confirmRegistration.mutate({ ...entered, token: tokenIn(mail), password: PASSWORD });
  return (await visitor.api.auth.status.query()).user?.practiceName;
}

test.each([
  ["open", 0],
  ["long over", 90 * DAY_MS],
])(
  "auth.register: the holder of an address, when other practices' invitations to it are %s, gets a link and opens a practice",
  async (_how, passed) => {
    const email = freshAddress();
    const another = await aPractice(app);
    await invite(squatter, email);
    await invite(another, email);
    if (passed) moveTime(passed);
    expect(await opensAPractice(email, 2)).toBe("Lindbridge");
    vi.restoreAllMocks();
    expect(await aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD })).toEqual({ next: "done" });
    const { items } = await squatter.api.staff.list.query();
    expect(items.find((user) => user.email === email)?.status).toBe("invited");
  },
);

test("staff.invite: several practices, when they invite one address, each get the same answer, and the first accepted has it", async () => {
  const email = freshAddress();
  const practices = [squatter, await aPractice(app), await aPractice(app)];
  for (const practice of practices)
    expect(await invite(practice, email)).toEqual({ isMailSent: true, triedUntil: null, link: null });
  const tokens = (await mailsTo(email, 3)).map(tokenIn);
  const [first = "", second = "", third = ""] = tokens;
  await accept(second);
  for (const token of [first, third]) {
    const looked = await refusal(aVisitor(app).api.auth.invitation.query({ token }));
    const accepted = await refusal(accept(token));
    for (const { code, message } of [looked, accepted]) {
      expect(code).toBe("CONFLICT");
      expect(message).toContain("has an account already");
    }
  }
  const users = mongoose.connection.collection("users");
  const holder = await users.findOne({ email_address: email, password_hash: { $exists: true } });
  expect(holder).toMatchObject({ owner_id: practices[1]?.ownerId, status: "active" });
});

test("auth.invitation: links of before mail could leave, when they are tried for many addresses, soon tell no more of accounts", async () => {
  const users = mongoose.connection.collection<{ _id: string }>("users");
  const emails = Array.from({ length: 12 }, freshAddress);
  const tokens = await Promise.all(
    emails.map(async (email) => {
      await invite(squatter, email);
      return tokenIn((await mailsTo(email))[0]);
    }),
  );
  await users.insertMany(emails.map((email) => ({ _id: newId(), email_address: email, password_hash: "x", role: 1 })));
  await mongoose.connection.collection("rate_limits").deleteMany({});
  const codes: string[] = [];
  for (const token of tokens) codes.push((await refusal(aVisitor(app).api.auth.invitation.query({ token }))).code);
  expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "CONFLICT"));
  expect(codes.slice(10)).toEqual(["TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"]);
});

test("auth.acceptInvitation: of the invitations of four practices, when all are accepted at once, one opens an account", async () => {
  const email = freshAddress();
  const practices = [squatter, await aPractice(app), await aPractice(app), await aPractice(app)];
  for (const practice of practices) await invite(practice, email);
  const tokens = (await mailsTo(email, 4)).map(tokenIn);
  const codes = await Promise.all(tokens.map(async (token) => (await refusal(accept(token))).code));
  expect(codes.toSorted()).toEqual(["", "CONFLICT", "CONFLICT", "CONFLICT"]);
});

test("staff.invite: an address with an account elsewhere, when it is invited, is answered like any other, and only its holder is told", async () => {
  const victim = await aPractice(app);
  const users = mongoose.connection.collection<{ _id: string }>("users");
  const before = await users.findOne({ _id: victim.ownerId });
  const answers = [];
  for (const email of [freshAddress(), victim.email, victim.email.toUpperCase()])
    answers.push(await invite(await aPractice(app), email));
  expect(answers).toEqual(answers.map(() => ({ isMailSent: true, triedUntil: null, link: null })));
  for (const mail of await mailsTo(victim.email, 2)) {
    expect(mail).toContain("has an account at Evenhand already");
    expect(mail).not.toContain("token=");
  }
  expect(await users.findOne({ _id: victim.ownerId })).toEqual(before);
});

test("auth.requestPasswordReset: somebody with an account, when others invited the address before and after, gets their link", async () => {
  const email = freshAddress();
  await invite(squatter, email);
  await opensAPractice(email, 1);
  await invite(await aPractice(app), email);
  await mailsTo(email, 3);
  await aVisitor(app).api.auth.requestPasswordReset.mutate({ email });
  const mail = (await mailsTo(email, 4)).at(-1) ?? "";
  const password = "velvet compass orchard tin";
  await aVisitor(app).api.auth.resetPassword.mutate({ token: tokenIn(mail), password });
  expect(await aVisitor(app).api.auth.signIn.mutate({ email, password })).toEqual({ next: "done" });
});

test("staff.invite: a practice's own open invitation, when the address is invited again, is named, and an expired one is replaced", async () => {
  const email = freshAddress();
  await invite(squatter, email);
  expect((await refusal(invite(squatter, email))).fields["email"]).toContain("is invited with it");
  moveTime(8 * DAY_MS);
  await squatter.api.auth.signIn.mutate({ email: squatter.email, password: PASSWORD });
  await invite(squatter, email);
  const [old, recent] = (await mailsTo(email, 2)).map(tokenIn);
  expect((await refusal(aVisitor(app).api.auth.invitation.query({ token: old ?? "" }))).code).toBe("NOT_FOUND");
  expect((await aVisitor(app).api.auth.invitation.query({ token: recent ?? "" })).email).toBe(email);
  const { items } = await squatter.api.staff.list.query();
  expect(items.filter((user) => user.email === email)).toHaveLength(1);
});

test("clients.create: the address of an invitation, when it has expired, is free for a client", async () => {
  const email = freshAddress();
  await invite(squatter, email);
  expect((await refusal(squatter.api.clients.create.mutate(aClient({ email })))).code).toBe("BAD_REQUEST");
  moveTime(8 * DAY_MS);
  await squatter.api.auth.signIn.mutate({ email: squatter.email, password: PASSWORD });
  expect((await squatter.api.clients.create.mutate(aClient({ email }))).email).toBe(email);
});

test("migrations: a store of before, where an invitation took its address, lets it go and keeps accounts apart", async () => {
  const users = mongoose.connection.collection<{ _id: string }>("users");
  await users.deleteMany({ status: "invited" });
  await users.createIndex({ email_address: 1 }, { unique: true });
  const email = freshAddress();
  await invite(squatter, email);
  const another = await aPractice(app);
  expect((await refusal(invite(another, email))).code).not.toBe("");
  await mongoose.connection.collection("migrations").deleteMany({});
  await migrate(MIGRATIONS, createLogger("silent"));
  await invite(another, email);
  const twice = { email_address: another.email, password_hash: "x", role: 1 };
  await expect(users.insertOne({ _id: newId(), ...twice })).rejects.toMatchObject({ code: 11000 });
});
