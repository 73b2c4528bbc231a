import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { resetTokensTo } from "../support/mail/mailed-links.ts";
import { aPractice, aVisitor, type TestPerson, PASSWORD } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ANOTHER_PASSWORD = "velvet compass orchard tin";

const details = (email: string) => ({
  firstName: "Ines",
  lastName: "Marchbank",
  email,
  password: PASSWORD,
  practiceName: "Quillfeather Row",
  region: "england_wales" as const,
  mediatorType: "family" as const,
});

const isSignedIn = async ({ api }: TestPerson) => (await api.auth.status.query()).user !== null;
const sessions = () => mongoose.connection.collection<{ _id: string; user_id: string }>("auth_sessions");
const app = forAllTests(startTestApp);

describe("setUp", () => {
  test("auth.setUp: of 50 at once exactly one makes the first practice, and it is whole", async () => {
    expect((await aVisitor(app).api.auth.status.query()).isSetUp).toBe(false);
    const visitors = Array.from({ length: 50 }, (_, index) => ({
      // Of one network only a few are heard at once.
      ...aVisitor(app, { "x-forwarded-for": `198.51.100.${index}` }),
      email: `first${index}@example.org`,
    }));
    const answers = await Promise.all(visitors.map(({ api, email }) => refusal(api.auth.setUp.mutate(details(email)))));
    const codes = answers.map(({ code }) => code);
    // Those whose password had no turn in time are told so.
    const others = codes.filter((code) => code !== "" && code !== "SERVICE_UNAVAILABLE");
    expect(codes.filter((code) => code === "")).toHaveLength(1);
    expect(new Set(others)).toEqual(new Set(["NOT_FOUND"]));
    for (const name of ["users", "settings", "customers"]) {
      const docs = await mongoose.connection.collection(name).find().toArray();
      expect({ name, count: docs.length }).toEqual({ name, count: 1 });
    }
    const winner = visitors[codes.indexOf("")];
    const { user } = await (winner?.api.auth.status.query() ?? Promise.reject(new Error("nobody won")));
    expect(user).toMatchObject({
      role: 1,
      practiceName: "Quillfeather Row",
      hasAccess: true,
      subscriptionPlan: "pro",
      timeZone: "Europe/London",
    });
  });
});

describe("register", () => {
  test("auth.register: makes a practice of its own and signs its owner in", async () => {
    const visitor = aVisitor(app);
    expect(await visitor.api.auth.register.mutate(details("own@example.org"))).toEqual({
      next: "done",
      checkoutUrl: null,
    });
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await visitor.api.practices.get.query()).toMatchObject({
      currency: "GBP",
      timeZone: "Europe/London",
      version: 0,
    });
  });

  test.each(["TAKEN@example.org", " taken@example.org ", "ｔaken@example.org"])(
    "auth.register: %s is the same address as one that is taken",
    async (email) => {
      const first = await refusal(aVisitor(app).api.auth.register.mutate(details("taken@example.org")));
      expect(["", "BAD_REQUEST"]).toContain(first.code);
      const before = await userOf("taken@example.org");
      const second = await refusal(aVisitor(app).api.auth.register.mutate(details(email)));
      expect(second.fields["email"]).toMatch(/has an account already/);
      expect(await userOf("taken@example.org")).toEqual(before);
    },
  );

  test.each([
    "passwordpassword",
    "Password123456",
    "qwertyuiop123",
    "123456789012",
    "aaaaaaaaaaaaaa",
    "1q2w3e4r5t6y",
    "manchesterunited1",
    "P@ssw0rd2024!!",
    "Quillfeather Row 1",
    "guessable@example.org",
  ])("auth.register: the password %s is refused beside its field", async (password) => {
    const { fields } = await refusal(
      aVisitor(app).api.auth.register.mutate({ ...details("guessable@example.org"), password }),
    );
    expect(fields["password"]).toMatch(/among the first that are tried/);
  });

  test.each([
    ["x".repeat(6) + "é".repeat(5) + "zq!7w" + "k".repeat(100) + "end"],
    ["ein längerer satz über möwen"],
    ["w".repeat(3) + "¡pájaro azul volando!"],
  ])("auth.register: the password %s is taken whole", async (password) => {
    const visitor = aVisitor(app);
    const email = `whole${password.length}@example.org`;
    await visitor.api.auth.register.mutate({ ...details(email), password });
    expect((await refusal(aVisitor(app).api.auth.signIn.mutate({ email, password: password.slice(0, -1) }))).code).toBe(
      "BAD_REQUEST",
    );
    expect(await aVisitor(app).api.auth.signIn.mutate({ email, password })).toEqual({ next: "done" });
    expect(String((await userOf(email))?.["password_hash"])).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

const userOf = (email: string) => mongoose.connection.collection("users").findOne({ email_address: email });

describe("signIn", () => {
  test("auth.signIn: the database holds a hash of the cookie only, and a brought-along id is never taken over", async () => {
    const { email } = await aPractice(app);
    const preset = "p".repeat(43);
    const response = await fetch(`${app.url}/trpc/auth.signIn`, {
      method: "POST",
      headers: { origin: app.url, "content-type": "application/json", cookie: `evenhand=${preset}` },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const cookie = response.headers.getSetCookie().findLast((line) => line.startsWith("evenhand=")) ?? "";
    expect(cookie).toMatch(/^evenhand=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const id = /=([\w-]{43})/.exec(cookie)?.[1] ?? "";
    expect(id).not.toBe(preset);
    expect(JSON.stringify(await sessions().find().toArray())).not.toContain(id);
  });

  test("auth.signIn: a remembered sign-in keeps its cookie for 14 days", async () => {
    const { email } = await aPractice(app);
    const response = await fetch(`${app.url}/trpc/auth.signIn`, {
      method: "POST",
      headers: { origin: app.url, "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD, isRemembered: true }),
    });
    expect(response.headers.getSetCookie()[0]).toMatch(/Max-Age=1209600$/);
  });

  test("auth.signIn: says how many tries are left, then pauses, and a known device still gets in", async () => {
    const practice = await aPractice(app);
    const guesser = aVisitor(app);
    for (const left of ["4 more tries", "3 more tries", "2 more tries", "1 more try"]) {
      const { fields } = await refusal(guesser.api.auth.signIn.mutate({ email: practice.email, password: "wrong" }));
      expect(fields["password"]).toBe(
        `The email address or the password is not right. You have ${left} before a 15-minute pause.`,
      );
    }
    const last = await refusal(guesser.api.auth.signIn.mutate({ email: practice.email, password: "wrong" }));
    expect(last.fields["password"]).toContain("paused for 15 minutes");
    const right = await refusal(guesser.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD }));
    expect(right).toMatchObject({ code: "TOO_MANY_REQUESTS", message: expect.stringContaining("15 minutes") });
    await practice.api.auth.signOut.mutate();
    expect(await practice.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD })).toEqual({
      next: "done",
    });
    moveTime(16 * 60_000);
    expect(await guesser.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD })).toEqual({
      next: "done",
    });
  });

  test("auth.signIn: of 40 guesses at once no more than five are looked at", async () => {
    const { email } = await aPractice(app);
    const visitor = aVisitor(app);
    const guesses = Array.from({ length: 40 }, () =>
      refusal(visitor.api.auth.signIn.mutate({ email, password: "wrong" })),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === "BAD_REQUEST").length).toBeLessThanOrEqual(5);
    await mongoose.connection.collection("rate_limits").deleteMany({});
  });

  test("auth.signIn: an address without an account is answered word for word like a wrong password", async () => {
    const { email } = await aPractice(app);
    const known = await refusal(aVisitor(app).api.auth.signIn.mutate({ email, password: "wrong" }));
    const unknown = await refusal(
      aVisitor(app).api.auth.signIn.mutate({ email: "nobody@example.org", password: "wrong" }),
    );
    expect(unknown).toEqual(known);
  });

  test.each([
    { password: { $ne: null } },
    { email: { $gt: "" } },
    { password: ["x"] },
    { isRemembered: "yes" },
    { role: 1 },
  ])("auth.signIn: %j in the input is refused", async (wrong) => {
    const { email } = await aPractice(app);
    const response = await fetch(`${app.url}/trpc/auth.signIn`, {
      method: "POST",
      headers: { origin: app.url, "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD, ...wrong }),
    });
    expect(response.status).toBe(400);
  });
});

describe("the life of a sign-in", () => {
  const signInAgain = async (email: string, isRemembered: boolean) => {
    const visitor = aVisitor(app);
    await visitor.api.auth.signIn.mutate({ email, password: PASSWORD, isRemembered });
    return visitor;
  };

  test("authenticate: 12 idle hours end a sign-in, use prolongs it", async () => {
    const { email } = await aPractice(app);
    const [idle, used] = [await signInAgain(email, false), await signInAgain(email, false)];
    moveTime(11 * HOUR_MS);
    expect(await isSignedIn(used)).toBe(true);
    moveTime(13 * HOUR_MS);
    expect([await isSignedIn(idle), await isSignedIn(used)]).toEqual([false, true]);
  });

  test("authenticate: a remembered sign-in lasts 14 idle days and 30 in all", async () => {
    const { email } = await aPractice(app);
    const [idle, used] = [await signInAgain(email, true), await signInAgain(email, true)];
    moveTime(13 * DAY_MS);
    expect(await isSignedIn(used)).toBe(true);
    moveTime(15 * DAY_MS);
    expect([await isSignedIn(idle), await isSignedIn(used)]).toEqual([false, true]);
    moveTime(28 * DAY_MS);
    expect(await isSignedIn(used)).toBe(true);
    moveTime(30 * DAY_MS + HOUR_MS);
    expect(await isSignedIn(used)).toBe(false);
  });

  test("auth.signOut: ends the sign-in itself, not only the cookie, and clears the browser", async () => {
    const practice = await aPractice(app);
    const cookie = practice.cookies();
    const response = await fetch(`${app.url}/trpc/auth.signOut`, {
      method: "POST",
      headers: { origin: app.url, "content-type": "application/json", cookie },
      body: "null",
    });
    expect(response.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(response.headers.getSetCookie().join()).toContain("evenhand=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    expect(await isSignedIn(practice)).toBe(false);
  });

  test("auth.listDevices: shows the person's own sign-ins, and endDevice ends one of them only", async () => {
    const practice = await aPractice(app);
    const other = await signInAgain(practice.email, false);
    const devices = await practice.api.auth.listDevices.query();
    expect(devices.filter(({ isThisOne }) => isThisOne)).toHaveLength(1);
    expect(devices).toHaveLength(2);
    const id = devices.find(({ isThisOne }) => !isThisOne)?.id ?? "";
    const stranger = await aPractice(app);
    expect((await refusal(stranger.api.auth.endDevice.mutate({ id }))).code).toBe("NOT_FOUND");
    await practice.api.auth.endDevice.mutate({ id });
    expect([await isSignedIn(other), await isSignedIn(practice)]).toEqual([false, true]);
  });

  test("S74 auth.signIn: somebody is signed in in more places than they can have, then those they used least lately are ended", async () => {
    const practice = await aPractice(app);
    const sessions = mongoose.connection.collection<{ _id: string; last_seen_at: Date }>("auth_sessions");
    const [own] = await practice.api.auth.listDevices.query();
    const stored = await sessions.findOne({ _id: own?.id ?? "" });
    if (!stored) throw new Error("the sign-in is not stored");
    const earlier = (minutes: number) => new Date(stored.last_seen_at.getTime() - minutes * 60_000);
    await sessions.insertMany(
      Array.from({ length: 120 }, (_, at) => ({ ...stored, _id: newId(), last_seen_at: earlier(at + 1) })),
    );
    const other = await signInAgain(practice.email, false);
    const devices = await other.api.auth.listDevices.query();
    expect([devices.length, await isSignedIn(practice)]).toEqual([100, true]);
    expect(devices.at(-1)?.lastSeenAt).toBe(earlier(98).toISOString());
  });

  test("auth.signOutEverywhere: ends every other sign-in of the person", async () => {
    const practice = await aPractice(app);
    const others = [await signInAgain(practice.email, false), await signInAgain(practice.email, true)];
    await practice.api.auth.signOutEverywhere.mutate();
    expect(await Promise.all([...others, practice].map(isSignedIn))).toEqual([false, false, true]);
  });

  test("auth.changePassword: asks for the old one, ends the other sign-ins and renews this one", async () => {
    const practice = await aPractice(app);
    const other = await signInAgain(practice.email, false);
    const before = practice.cookies();
    const wrong = await refusal(
      practice.api.auth.changePassword.mutate({ currentPassword: "wrong", password: ANOTHER_PASSWORD }),
    );
    expect(wrong.fields["currentPassword"]).toMatch(/^The password is not right. You have 4 more tries/);
    await practice.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: ANOTHER_PASSWORD });
    expect([await isSignedIn(practice), await isSignedIn(other)]).toEqual([true, false]);
    expect(practice.cookies()).not.toBe(before);
    const old = await fetch(`${app.url}/trpc/auth.listDevices`, { headers: { cookie: before } });
    expect(old.status).toBe(401);
    expect(
      (await refusal(aVisitor(app).api.auth.signIn.mutate({ email: practice.email, password: PASSWORD }))).code,
    ).toBe("BAD_REQUEST");
    expect(await aVisitor(app).api.auth.signIn.mutate({ email: practice.email, password: ANOTHER_PASSWORD })).toEqual({
      next: "done",
    });
  });
});

describe("an interrupted password change", () => {
  test("authenticate: a sign-in from before it does not count, even where it was not ended", async () => {
    const practice = await aPractice(app);
    const other = aVisitor(app);
    await other.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD });
    const left = await sessions().find({ user_id: practice.ownerId }).toArray();
    await practice.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: ANOTHER_PASSWORD });
    await sessions().insertMany(left);
    expect([await isSignedIn(practice), await isSignedIn(other)]).toEqual([true, false]);
  });
});

describe("a forgotten password", () => {
  async function resetToken(practice: TestPerson): Promise<string> {
    const before = await resetTokensTo(practice.email);
    await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: practice.email });
    return vi.waitFor(
      async () => {
        const tokens = await resetTokensTo(practice.email);
        expect(tokens.length).toBe(before.length + 1);
        return tokens.at(-1) ?? "";
      },
      { timeout: 15_000, interval: 200 },
    );
  }

  test("auth.requestPasswordReset: answers the same with and without an account, and writes only to the account", async () => {
    const practice = await aPractice(app);
    const known = await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: practice.email });
    expect(await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: "nobody@example.org" })).toEqual(known);
    expect(known).toEqual({ mailLeavesFor: "nobody" });
    await vi.waitFor(async () => expect((await practice.api.mail.listUnsent.query({})).items).toHaveLength(1), {
      timeout: 15_000,
    });
    expect(await mongoose.connection.collection("system_mails").find({ to: "nobody@example.org" }).toArray()).toEqual(
      [],
    );
  });

  test("auth.resetPassword: a link works once, even for 200 at the same time, and signs nobody in", async () => {
    const practice = await aPractice(app);
    const token = await resetToken(practice);
    const tries = Array.from({ length: 200 }, () =>
      aVisitor(app).api.auth.resetPassword.mutate({ token, password: ANOTHER_PASSWORD }),
    );
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await isSignedIn(practice)).toBe(false);
    expect(await aVisitor(app).api.auth.signIn.mutate({ email: practice.email, password: ANOTHER_PASSWORD })).toEqual({
      next: "done",
    });
    expect(JSON.stringify(await mongoose.connection.collection("users").find().toArray())).not.toContain(token);
  });

  test("auth.resetPassword: an hour ends every link", async () => {
    const practice = await aPractice(app);
    const token = await resetToken(practice);
    moveTime(61 * 60_000);
    const late = await refusal(aVisitor(app).api.auth.resetPassword.mutate({ token, password: ANOTHER_PASSWORD }));
    expect(late.fields["token"]).toMatch(/has expired or was used/);
  });
});
