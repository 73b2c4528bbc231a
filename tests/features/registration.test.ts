import { newId } from "@app/server/core/ids";
// Where mail can leave, a registration tells nothing about who exists, and opens nothing before its link is followed.
import { stopJobs } from "@app/server/core/jobs";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";
import { installationMail } from "../support/mail/mail-for-tests.ts";

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
/** What is entered where the link leads to: the link proves the address. */
const { email: _proved, password: _chosen, ...opening } = details("");
const freshAddress = () => `nora${(count += 1)}@example.org`;
const register = (email: string) => aVisitor(app).api.auth.register.mutate(details(email));
const codeOf = async (promise: Promise<unknown>) => (await refusal(promise)).code;
const limits = () => mongoose.connection.collection("rate_limits").deleteMany({});

describe("with a way to send mail", () => {
  beforeAll(async () => {
    smtp = await startSmtp({ authOptional: true });
    app = await startTestApp({
      ...installationMail(smtp),
      TRUSTED_PROXIES: "loopback",
    });
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

  test("auth.register: a new address and one with an account, when they register, get the same answer and a mark of the browser alone", async () => {
    const { email: taken } = await aPractice(app);
    const answers = [];
    for (const email of [freshAddress(), taken, taken.toUpperCase()]) {
      const visitor = aVisitor(app);
      answers.push(await visitor.api.auth.register.mutate(details(email)));
      expect(visitor.cookies()).toMatch(/^evenhand-device=[\w-]+$/);
    }
    expect(answers).toEqual(answers.map(() => ({ next: "confirm", checkoutUrl: null })));
  });

  test("auth.register: whoever has an account, when somebody registers with their address, is told so by mail and nothing changes", async () => {
    const { email, practiceName, api } = await aPractice(app);
    const links = mongoose.connection.collection("registration_links");
    const before = await links.countDocuments();
    await register(email);
    const [mail = ""] = await mailTo(email);
    expect(mail).toContain("It has an account already");
    expect(mail).not.toContain("token=");
    expect((await api.practices.get.query()).practiceName).toBe(practiceName);
    expect(await links.countDocuments()).toBe(before);
  });

  test("auth.confirmRegistration: the link, when it is followed, opens the practice once and signs its owner in", async () => {
    const email = freshAddress();
    await register(email);
    const token = await tokenOf(email);
    expect(await codeOf(aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD }))).toBe("BAD_REQUEST");
    const visitor = aVisitor(app);
    expect(await visitor.api.auth.confirmRegistration.mutate({ ...opening, token, password: PASSWORD })).toEqual({
      next: "done",
      checkoutUrl: null,
    });
    expect((await visitor.api.auth.status.query()).user?.practiceName).toBe("Valebridge");
    const again = await refusal(
      aVisitor(app).api.auth.confirmRegistration.mutate({ ...opening, token, password: PASSWORD }),
    );
    expect(again.fields["token"]).toContain("Register again");
    expect(await aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD })).toEqual({ next: "done" });
  });

  test("auth.confirmRegistration: the password, when a stranger registered with the address, is the one of whoever holds the link", async () => {
    const email = freshAddress();
    const theirs = "thistle ferry candle oak";
    await aVisitor(app).api.auth.register.mutate({ ...details(email), password: theirs });
    const token = await tokenOf(email);
    const open = (password: string) =>
      aVisitor(app).api.auth.confirmRegistration.mutate({ ...opening, token, password });
    // Refused, and the link is still good.
    expect(Object.keys((await refusal(open("valebridge valebridge"))).fields)).toEqual(["password"]);
    await open(PASSWORD);
    expect(await codeOf(aVisitor(app).api.auth.signIn.mutate({ email, password: theirs }))).toBe("BAD_REQUEST");
    expect(await aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD })).toEqual({ next: "done" });
  });

  test("S73 auth.register: what a stranger entered, when the mail comes and its link is opened, is told to nobody but their own browser", async () => {
    const email = freshAddress();
    const stranger = aVisitor(app);
    const written = { firstName: "Prize", lastName: "Winner", practiceName: "WIN A PRIZE call 0900 16" };
    await stranger.api.auth.register.mutate({ ...details(email), ...written });
    const [mail = ""] = await mailTo(email);
    for (const words of Object.values(written)) expect(mail).not.toContain(words);
    expect(mail.match(/https?:\/\//g)).toHaveLength(1);
    const token = await tokenOf(email);
    const holder = aVisitor(app);
    expect(await holder.api.auth.registration.query({ token })).toEqual({ email, begun: null });
    // The link was never the stranger's: here it shows whose words these are.
    expect(await stranger.api.auth.registration.query({ token })).toEqual({
      email,
      begun: { ...written, region: "england_wales", mediatorType: "family" },
    });
    await holder.api.auth.confirmRegistration.mutate({ ...opening, token, password: PASSWORD });
    expect((await holder.api.auth.status.query()).user).toMatchObject({ userEmail: email, practiceName: "Valebridge" });
  });

  test("S73 auth.registration: what was entered with another spelling of the mailbox, when a link proves one address, is not shown for it", async () => {
    const email = freshAddress();
    const browser = aVisitor(app);
    await browser.api.auth.register.mutate(details(email));
    const token = await tokenOf(email);
    await browser.api.auth.register.mutate({ ...details(email.replace("@", "+x@")), firstName: "Norah" });
    expect((await browser.api.auth.registration.query({ token })).begun?.firstName).toBe("Nora");
  });

  test("staff.invite: the names, when an invitation holds them, make no link", async () => {
    const owner = await aPractice(app);
    const settings = await owner.api.practices.get.query();
    await mongoose.connection
      .collection<{ _id: string }>("users")
      .updateOne({ _id: owner.ownerId }, { $set: { last_name: "evil.example" } });
    const email = freshAddress();
    const named = { email, firstName: "See evil.example", lastName: "Birch", role: 3 as const };
    await owner.api.staff.invite.mutate({ id: newId(), ...named });
    const [mail = ""] = await mailTo(email);
    expect(mail).toContain("Hello See evil. example,");
    expect(mail).toContain(settings.practiceName);
    expect(mail).not.toContain("evil.example");
  });

  test("auth.register: no password, when a link can be mailed, is asked for", async () => {
    const email = freshAddress();
    const { password: _later, ...entered } = details(email);
    await aVisitor(app).api.auth.register.mutate(entered);
    const token = await tokenOf(email);
    await aVisitor(app).api.auth.confirmRegistration.mutate({ ...opening, token, password: PASSWORD });
    expect(await aVisitor(app).api.auth.signIn.mutate({ email, password: PASSWORD })).toEqual({ next: "done" });
  });

  test("auth.register: of what one place asks for, when time passes, the newest five stay", async () => {
    const email = freshAddress();
    const waiting = mongoose.connection.collection("registrations");
    const before = await waiting.countDocuments();
    for (let tries = 0; tries < 5; tries += 1) await register(email);
    await limits();
    for (let tries = 0; tries < 4; tries += 1) await register(email);
    expect(await waiting.countDocuments()).toBe(before + 5);
  });

  test("auth.confirmRegistration: two links for one address, or one link twenty times, when followed, open one practice", async () => {
    const email = freshAddress();
    await register(email);
    const first = await tokenOf(email);
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        aVisitor(app).api.auth.confirmRegistration.mutate({ ...opening, token: first, password: PASSWORD }),
      ),
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
    expect(
      await codeOf(aVisitor(app).api.auth.confirmRegistration.mutate({ ...opening, token, password: PASSWORD })),
    ).toBe("BAD_REQUEST");
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
      await mongoose.connection.collection("registration_links").find().toArray(),
      await mongoose.connection.collection("jobs").find().toArray(),
    ]);
    for (const secret of [token, PASSWORD, email]) expect(stored).not.toContain(secret);
  });
});

describe("without a way to send mail", () => {
  beforeAll(async () => {
    app = await startTestApp({ TRUSTED_PROXIES: "loopback" });
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

  test("auth.register: whoever opens one practice after the other, when five are open, waits an hour, and another network does not", async () => {
    const from = (ip: string) => aVisitor(app, { "x-forwarded-for": ip }).api.auth.register;
    const opened = await Promise.allSettled(
      Array.from({ length: 8 }, () => from("192.0.2.7").mutate(details(freshAddress()))),
    );
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await refusal(from("192.0.2.7").mutate(details(freshAddress())))).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: expect.stringContaining("Try again in"),
    });
    expect(await codeOf(from("198.51.100.7").mutate(details(freshAddress())))).toBe("");
    moveTime(HOUR_MS + 1000);
    expect(await codeOf(from("192.0.2.7").mutate(details(freshAddress())))).toBe("");
  });

  test("auth.register: whoever has many networks next to each other, when twenty practices are open, waits", async () => {
    const codes: string[] = [];
    for (let at = 0; at < 21; at += 1) {
      const visitor = aVisitor(app, { "x-forwarded-for": `2001:db8:9:${at.toString(16)}::1` });
      codes.push(await codeOf(visitor.api.auth.register.mutate(details(freshAddress()))));
    }
    expect(codes).toEqual([...Array.from({ length: 20 }, () => ""), "TOO_MANY_REQUESTS"]);
  });

  test.each([
    "Evenhand",
    "  even hand ",
    "EVENHAND.",
    "\u0415venhand",
    "Ev\u00e9nh4nd",
    "\uff25venhand",
    "E\u200bven-Hand",
  ])(
    "S73 auth.register, practices.update: a practice, when it would be called %s, is refused beside its name",
    async (practiceName) => {
      const entered = { ...details(freshAddress()), practiceName };
      expect(Object.keys((await refusal(aVisitor(app).api.auth.register.mutate(entered))).fields)).toEqual([
        "practiceName",
      ]);
      const { api } = await aPractice(app);
      const { currency: _derived, ...settings } = await api.practices.get.query();
      const renamed = await refusal(api.practices.update.mutate({ ...settings, practiceName }));
      expect(Object.keys(renamed.fields)).toEqual(["practiceName"]);
    },
  );

  test.each(["Evenhanded Mediation", "Hand & Even", "Havengate"])(
    "auth.register: a practice, when it is called %s, is opened",
    async (practiceName) => {
      expect(await codeOf(aVisitor(app).api.auth.register.mutate({ ...details(freshAddress()), practiceName }))).toBe(
        "",
      );
    },
  );

  test("auth.register: the password, when none is sent, is asked for beside its field", async () => {
    await limits();
    const { password: _missing, ...entered } = details(freshAddress());
    const { fields } = await refusal(aVisitor(app).api.auth.register.mutate(entered));
    expect(Object.keys(fields)).toEqual(["password"]);
  });
});
