// S39: whoever guesses waits, and nobody else does.
import mongoose from "mongoose";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { resetTokensTo } from "../support/mail/mailed-links.ts";
import { aPractice, aStaffUser, aVisitor, PASSWORD, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";

const app = forAllTests(() => startTestApp({ TRUSTED_PROXIES: "loopback" }));
beforeEach(forgetAttempts);
const practice = forEachTest(() => aPractice(app));

let networks = 0;
/** Somebody in a network that nobody was in before. */
const elsewhere = (): TestPerson => {
  networks += 1;
  return aVisitor(app, { "x-forwarded-for": `203.${Math.floor(networks / 250)}.113.${networks % 250}` });
};
const signIn = ({ api }: TestPerson, password: string) =>
  refusal(api.auth.signIn.mutate({ email: practice.email, password }));
const codeOf = async (promise: Promise<unknown>) => (await refusal(promise)).code;

/** Guesses from so many networks, until each has to wait. */
async function guessFrom(count: number, guess: (person: TestPerson) => Promise<{ code: string }>) {
  for (let each = 0; each < count; each += 1) {
    const stranger = elsewhere();
    for (let tries = 0; tries < 6; tries += 1) if ((await guess(stranger)).code === "TOO_MANY_REQUESTS") break;
  }
}

async function switchOnTwoFactor({ api }: TestPerson) {
  const { secret } = await api.auth.startTwoFactor.mutate({ password: PASSWORD });
  const codeIn = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  await api.auth.enableTwoFactor.mutate({ code: codeIn(-1) });
  return codeIn;
}

describe("passwords", () => {
  test("S39: the person, when others guessed until all had to wait, signs in on a new device in a network of their own", async () => {
    await guessFrom(8, (stranger) => signIn(stranger, "wrong"));
    const late = elsewhere();
    for (let tries = 0; tries < 2; tries += 1) expect((await signIn(late, "wrong")).code).toBe("BAD_REQUEST");
    expect((await signIn(late, PASSWORD)).code).toBe("TOO_MANY_REQUESTS");
    const careful = elsewhere();
    expect((await signIn(careful, "mistyped")).fields["password"]).toContain("one more try from your network");
    expect((await signIn(careful, PASSWORD)).code).toBe("");
  });

  test("S39: the person, when others guessed in their own network, signs in on the device they use", async () => {
    const neighbour = aVisitor(app);
    for (let tries = 0; tries < 6; tries += 1) await signIn(neighbour, "wrong");
    expect((await signIn(neighbour, PASSWORD)).code).toBe("TOO_MANY_REQUESTS");
    expect((await signIn(practice, PASSWORD)).code).toBe("");
  });

  test("S39: somebody who confirms who they are, when the same was guessed in another of their sign-ins, is asked as before", async () => {
    const forgotten = elsewhere();
    await signIn(forgotten, PASSWORD);
    // Only the sign-in was taken over, not the device.
    const taken = aVisitor(app, { "x-forwarded-for": "198.51.100.7", cookie: withoutDevice(forgotten) });
    const guess = () => codeOf(taken.api.auth.confirmIdentity.mutate({ password: "wrong" }));
    for (let tries = 0; tries < 6; tries += 1) await guess();
    expect(await guess()).toBe("TOO_MANY_REQUESTS");
    expect(await codeOf(practice.api.auth.confirmIdentity.mutate({ password: PASSWORD }))).toBe("");
  });
});

const withoutDevice = (person: TestPerson) =>
  person
    .cookies()
    .split("; ")
    .filter((cookie) => !cookie.includes("-device="))
    .join("; ");

describe("second factors", () => {
  test("S39: the person, when somebody who knows the password guessed codes everywhere, gives theirs and is in", async () => {
    const codeIn = await switchOnTwoFactor(practice);
    await guessFrom(7, async (stranger) => {
      await signIn(stranger, PASSWORD);
      return refusal(stranger.api.auth.verifySecondFactor.mutate({ code: "000000" }));
    });
    await practice.api.auth.signOut.mutate();
    await signIn(practice, PASSWORD);
    expect(await codeOf(practice.api.auth.verifySecondFactor.mutate({ code: codeIn(0) }))).toBe("");
    const away = elsewhere();
    await signIn(away, PASSWORD);
    expect(await codeOf(away.api.auth.verifySecondFactor.mutate({ code: codeIn(1) }))).toBe("");
  });

  test("S39: codes, when one place guessed five, wait there, and the count stands in the database", async () => {
    await switchOnTwoFactor(practice);
    const stranger = elsewhere();
    await signIn(stranger, PASSWORD);
    const guess = () => codeOf(stranger.api.auth.verifySecondFactor.mutate({ code: "000000" }));
    const codes = [];
    for (let tries = 0; tries < 6; tries += 1) codes.push(await guess());
    expect(codes).toEqual([...Array.from({ length: 5 }, () => "BAD_REQUEST"), "TOO_MANY_REQUESTS"]);
    const limits = mongoose.connection.collection<{ _id: string; open_at: Date }>("rate_limits");
    const kept = await limits.find({}).toArray();
    const waiting = kept.filter(({ open_at }) => open_at > new Date()).map(({ _id }) => _id);
    expect(waiting).toEqual([expect.stringMatching(`^code:${practice.ownerId}:`)]);
  });
});

describe("links for a new password", () => {
  const links = async (count: number, email = practice.email) =>
    vi.waitFor(
      async () => {
        const tokens = await resetTokensTo(email);
        expect(tokens.length).toBe(count);
        return tokens;
      },
      { timeout: 15_000, interval: 200 },
    );
  const ask = ({ api }: TestPerson) => codeOf(api.auth.requestPasswordReset.mutate({ email: practice.email }));
  const spend = (token: string) =>
    codeOf(aVisitor(app).api.auth.resetPassword.mutate({ token, password: "velvet compass orchard tin" }));

  test("auth.requestPasswordReset: five requests of a stranger, when they are made, end no link and keep nobody from another", async () => {
    expect(await ask(elsewhere())).toBe("");
    const [first = ""] = await links(1);
    const stranger = elsewhere();
    const answers = [];
    for (let tries = 0; tries < 6; tries += 1) answers.push(await ask(stranger));
    expect(answers.at(-1)).toBe("TOO_MANY_REQUESTS");
    expect(await ask(elsewhere())).toBe("");
    const all = await links(7);
    expect(await spend(first)).toBe("");
    // Whichever is used, no other works after it.
    for (const token of all) expect(await spend(token)).toBe("BAD_REQUEST");
  });

  const NEW = "velvet compass orchard tin";
  /** A link that is asked for and used in one browser. */
  async function resetIn(person: TestPerson, count: number) {
    await ask(person);
    const token = (await links(count)).at(-1) ?? "";
    return codeOf(person.api.auth.resetPassword.mutate({ token, password: NEW }));
  }

  test("S39: the person, when others guessed until nobody was heard, is in after a reset, also where they guess on", async () => {
    await guessFrom(8, (stranger) => signIn(stranger, "wrong"));
    const device = elsewhere();
    for (let tries = 0; tries < 2; tries += 1) await signIn(device, "wrong");
    expect((await signIn(device, PASSWORD)).code).toBe("TOO_MANY_REQUESTS");
    expect(await resetIn(device, 1)).toBe("");
    await guessFrom(8, (stranger) => signIn(stranger, "wrong"));
    // In a network where unknown devices used up all tries: the device of before the reset, and that of the link.
    const jammed = { "x-forwarded-for": "203.0.113.9" };
    for (let tries = 0; tries < 8; tries += 1) await signIn(aVisitor(app, jammed), "wrong");
    for (const cookie of [practice.cookies(), device.cookies()])
      expect((await signIn(aVisitor(app, { ...jammed, cookie }), NEW)).code).toBe("");
  });

  test("S39: the browser of a link, when it is the fourth of a day and unknown devices guess on, is heard with the new password", async () => {
    let device = elsewhere();
    for (let resets = 1; resets <= 4; resets += 1) {
      device = elsewhere();
      expect(await resetIn(device, resets)).toBe("");
      await guessFrom(6, (stranger) => signIn(stranger, "wrong"));
    }
    for (let tries = 0; tries < 2; tries += 1) expect((await signIn(device, "wrong")).code).toBe("BAD_REQUEST");
    expect((await signIn(device, NEW)).code).toBe("");
  });

  test("S39: codes, when somebody reads the mailbox, are forgiven with three resets a day, and of their browsers all have one count", async () => {
    const staff = await aStaffUser(app, practice);
    await switchOnTwoFactor(staff);
    const counts = mongoose.connection.collection<{ _id: string }>("rate_limits");
    const users = mongoose.connection.collection<{ _id: string }>("users");
    const id = (await users.findOne({ email_address: staff.email }))?._id ?? "";
    const seen = [];
    const heard = [];
    for (let resets = 1; resets <= 6; resets += 1) {
      const reader = elsewhere();
      await reader.api.auth.requestPasswordReset.mutate({ email: staff.email });
      const token = (await links(resets, staff.email)).at(-1) ?? "";
      await reader.api.auth.resetPassword.mutate({ token, password: NEW });
      seen.push((await counts.findOne({ _id: `code:${id}:link` })) !== null);
      await reader.api.auth.signIn.mutate({ email: staff.email, password: NEW });
      for (let tries = 0; tries < 2; tries += 1)
        heard.push(await codeOf(reader.api.auth.verifySecondFactor.mutate({ code: "000000" })));
    }
    expect(seen).toEqual([false, false, false, true, true, true]);
    expect(heard.filter((code) => code === "BAD_REQUEST")).toHaveLength(2 * 2 + 5);
  });

  test("auth.requestPasswordReset: a known device, when its network asked too often, still gets a link", async () => {
    const neighbour = aVisitor(app);
    for (let tries = 0; tries < 6; tries += 1) await ask(neighbour);
    expect(await ask(neighbour)).toBe("TOO_MANY_REQUESTS");
    expect(await ask(practice)).toBe("");
  });

  test("auth.resetPassword: a link of the hour before several could be open, when it is used, works once", async () => {
    await ask(elsewhere());
    const [token = ""] = await links(1);
    const users = mongoose.connection.collection<{ _id: string; password_resets: unknown[] }>("users");
    const user = await users.findOne({ _id: practice.ownerId });
    const old = { $set: { password_reset: user?.password_resets[0] }, $unset: { password_resets: 1 as const } };
    await users.updateOne({ _id: practice.ownerId }, old);
    expect(await spend(token)).toBe("");
    expect(await spend(token)).toBe("BAD_REQUEST");
  });
});
