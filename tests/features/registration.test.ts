// Where mail can leave, a registration tells nothing about who exists, and opens nothing before its link is followed.
import { stopJobs } from "@app/server/core/jobs";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD } from "../support/people.ts";
import { moveTime, refusal } from "../support/refusal.ts";
import { startSmtp, type TestSmtp } from "../support/smtp-server.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const HOUR_MS = 3_600_000;
let smtp: TestSmtp;
let app: TestApp;
let count = 0;

const details = (email: string) => ({
  firstName: "Nora",
  lastName: "Vale",
  email,
  password: PASSWORD,
  practiceName: "Valebridge",
  region: "england_wales" as const,
  mediatorType: "family" as const,
});
const freshAddress = () => `nora${(count += 1)}@example.org`;
const register = (email: string) => aVisitor(app).api.auth.register.mutate(details(email));
const codeOf = async (promise: Promise<unknown>) => (await refusal(promise)).code;
const limits = () => mongoose.connection.collection("rate_limits").deleteMany({});

describe("with a way to send mail", () => {
  beforeAll(async () => {
    smtp = await startSmtp({ authOptional: true });
    app = await startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
  });
  beforeEach(limits);
  afterAll(async () => {
    await app.close();
    await smtp.close();
  });

  const mailTo = (email: string) =>
    vi.waitFor(
      () => {
        const mails = smtp.received.filter(({ to }) => to.includes(email));
        expect(mails).not.toEqual([]);
        return mails.map(({ source }) => source.replace(/=\r\n/g, "").replaceAll("=3D", "="));
      },
      { timeout: 15_000, interval: 100 },
    );
  const tokenOf = async (email: string) => /register\?token=([\w-]+)/.exec((await mailTo(email))[0] ?? "")?.[1] ?? "";

  test("auth.register: a new address and one with an account, when they register, get the same answer and no cookie", async () => {
    const { email: taken } = await aPractice(app);
    const answers = [];
    for (const email of [freshAddress(), taken, taken.toUpperCase()]) {
      const visitor = aVisitor(app);
      answers.push(await visitor.api.auth.register.mutate(details(email)));
      expect(visitor.cookies()).toBe("");
    }
    expect(answers).toEqual(answers.map(() => ({ next: "confirm", checkoutUrl: null })));
  });

  test("auth.register: whoever has an account, when somebody registers with their address, is told so by mail and nothing changes", async () => {
    const { email, practiceName, api } = await aPractice(app);
    await register(email);
    const [mail = ""] = await mailTo(email);
    expect(mail).toContain("It has an account already");
    expect(mail).not.toContain("token=");
    expect((await api.practices.get.query()).practiceName).toBe(practiceName);
    expect(await mongoose.connection.collection("registrations").countDocuments({ token_hash: null })).toBe(0);
  });

  test("auth.confirmRegistration: the link, when it is followed, opens the practice once and signs its owner in", async () => {
    const email = freshAddress();
    await register(email);
    const token = await tokenOf(email);
    expect(await codeOf(aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD }))).toBe("BAD_REQUEST");
    const visitor = aVisitor(app);
    expect(await visitor.api.auth.confirmRegistration.mutate({ token })).toEqual({ next: "done", checkoutUrl: null });
    expect((await visitor.api.auth.status.query()).user?.practiceName).toBe("Valebridge");
    const again = await refusal(aVisitor(app).api.auth.confirmRegistration.mutate({ token }));
    expect(again.fields["token"]).toContain("Register again");
    expect(await aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD })).toEqual({ next: "done" });
  });

  test("auth.confirmRegistration: two links for one address, or one link twenty times, when followed, open one practice", async () => {
    const email = freshAddress();
    await register(email);
    const first = await tokenOf(email);
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => aVisitor(app).api.auth.confirmRegistration.mutate({ token: first })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const users = mongoose.connection.collection("users");
    expect(await users.countDocuments({ email_address: email })).toBe(1);
  });

  test("auth.confirmRegistration: the link, when a day has passed, opens nothing", async () => {
    const email = freshAddress();
    await register(email);
    const token = await tokenOf(email);
    moveTime(25 * HOUR_MS);
    expect(await codeOf(aVisitor(app).api.auth.confirmRegistration.mutate({ token }))).toBe("BAD_REQUEST");
  });

  test("auth.register: five times for one address from one place, when asked again, waits, known or not", async () => {
    const { email: taken } = await aPractice(app);
    const last = [];
    for (const email of [freshAddress(), taken]) {
      for (let tries = 0; tries < 5; tries += 1) await register(email);
      last.push(await refusal(register(email)));
    }
    expect(last[0]?.code).toBe("TOO_MANY_REQUESTS");
    expect(last[1]).toEqual(last[0]);
  });

  test("auth.register: neither password nor token, when a registration waits, stands in the database in the clear", async () => {
    const email = freshAddress();
    await register(email);
    const token = await tokenOf(email);
    const stored = JSON.stringify([
      await mongoose.connection.collection("registrations").find().toArray(),
      await mongoose.connection.collection("jobs").find().toArray(),
    ]);
    for (const secret of [token, PASSWORD, email]) expect(stored).not.toContain(secret);
  });
});

describe("without a way to send mail", () => {
  beforeAll(async () => {
    app = await startTestApp();
  });
  beforeEach(limits);
  afterAll(() => app.close());

  test("auth.register: whoever tries addresses, when ten had an account, is heard no more from that network", async () => {
    const { email } = await aPractice(app);
    for (let tries = 0; tries < 10; tries += 1) expect(await codeOf(register(email))).toBe("BAD_REQUEST");
    expect(await codeOf(register(email))).toBe("TOO_MANY_REQUESTS");
    expect(await codeOf(register(freshAddress()))).toBe("TOO_MANY_REQUESTS");
    await stopJobs();
  });
});
