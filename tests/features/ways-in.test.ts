// S39, S56: no stranger stops a sign-in, fills a mailbox or keeps a person from a link.
import { mailWhatIsDue } from "@app/server/features/auth/mailbox-pace";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD, type TestPerson } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { anSmtpForAll, installationMail } from "../support/mail/mail-for-tests.ts";

const MINUTE_MS = 60_000;
vi.setConfig({ testTimeout: 120_000 });
const AT_ONCE = 8;

const smtp = anSmtpForAll({ authOptional: true });
const app = forAllTests(() => startTestApp({ ...installationMail(smtp), TRUSTED_PROXIES: "loopback" }));
beforeEach(forgetAttempts);
const practice = forEachTest(() => aPractice(app));
afterAll(() => vi.resetConfig());

let networks = 0;
/** Somebody in a network that nobody was in before. */
const elsewhere = (): TestPerson => {
  networks += 1;
  return aVisitor(app, { "x-forwarded-for": `203.${Math.floor(networks / 250)}.114.${networks % 250}` });
};
let count = 0;
const freshName = () => `stranger${(count += 1)}`;
const codeOf = async (promise: Promise<unknown>) => (await refusal(promise)).code;
const signIn = ({ api }: TestPerson, email: string, password: string) =>
  refusal(api.auth.signIn.mutate({ email, password }));
const opening = {
  firstName: "Nora",
  lastName: "Vale",
  practiceName: "Valebridge",
  region: "england_wales" as const,
  mediatorType: "family" as const,
};
const register = ({ api }: TestPerson, email: string) => codeOf(api.auth.register.mutate({ ...opening, email }));
/** Mails whose addressee begins so. */
const mailsTo = (beginning: string) =>
  smtp.received.filter(({ to }) => to.some((address) => address.startsWith(beginning)));
const mailCount = (beginning: string, wanted: number) =>
  vi.waitFor(() => expect(mailsTo(beginning).length).toBe(wanted), { timeout: 20_000, interval: 200 });
/** Time in which a further mail would have come. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1500));
const lastToken = (beginning: string) => {
  const source = (mailsTo(beginning).at(-1)?.source ?? "").replace(/=\r\n/g, "").replaceAll("=3D", "=");
  return /\?token=([\w-]+)/.exec(source)?.[1] ?? "";
};

describe("the queue", () => {
  const storm = (from: () => TestPerson, size: number) =>
    Array.from({ length: size }, () => signIn(from(), `${freshName()}@example.org`, "wrong"));

  test("S39: 300 sign-ins at once from one network, when they guess, are looked at no more than its limit of thirty", async () => {
    const stranger = elsewhere();
    const answers = await Promise.all(storm(() => stranger, 300));
    const looked = answers.filter(({ code }) => code === "BAD_REQUEST").length;
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThanOrEqual(30);
    // Where the machine is busy the line for passwords is full first (hash-turns.ts): that refuses without a look, too.
    const refused = answers.filter(({ code }) => code === "TOO_MANY_REQUESTS" || code === "SERVICE_UNAVAILABLE");
    expect(refused).toHaveLength(300 - looked);
  });

  test.each([
    ["one network", 1],
    ["sixty networks", 60],
  ])("S39: a known device, while 260 unknown devices guess from %s, is let in each time", async (_where, size) => {
    const people = Array.from({ length: size }, elsewhere);
    let next = 0;
    const guesses = storm(() => people[(next += 1) % size] ?? elsewhere(), 260);
    const codes = [];
    for (let tries = 0; tries < 3; tries += 1) codes.push((await signIn(practice, practice.email, PASSWORD)).code);
    await Promise.all(guesses);
    expect(codes).toEqual(["", "", ""]);
  });

  test("auth.signIn: forty people of one network, when each enters the right password, are all let in", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => aPractice(app)));
    for (let round = 0; round < 10; round += 1)
      for (const { email } of people) {
        const device = aVisitor(app, { "x-forwarded-for": "198.51.100.40" });
        expect((await signIn(device, email, PASSWORD)).code).toBe("");
      }
  });
});

describe("mails that anybody can ask for", () => {
  test.each([
    ["many networks", (name: string) => ({ by: elsewhere, at: () => `${name}@example.org` })],
    ["many spellings", (name: string) => ({ by: elsewhere, at: (each: number) => `${name}+${each}@example.org` })],
  ])(
    "S56: registrations for one mailbox, when they come with %s, make one mail, then its holder's in five minutes",
    async (_how, make) => {
      const name = freshName();
      const { by, at } = make(name);
      for (let each = 0; each < 30; each += 1) expect(await register(by(), at(each))).toBe("");
      await mailCount(name, 1);
      const own = `${name}@example.org`;
      expect(await register(elsewhere(), own)).toBe("");
      await settle();
      await mailCount(name, 1);
      moveTime(6 * MINUTE_MS);
      await mailWhatIsDue();
      await mailCount(name, 2);
      expect(mailsTo(name).at(-1)?.to).toEqual([own]);
      const link = { token: lastToken(name), password: PASSWORD };
      const opened = aVisitor(app).api.auth.confirmRegistration.mutate({ ...opening, ...link });
      expect((await opened).next).toBe("done");
    },
  );

  test("S56: registrations with an address that has an account, when forty networks send them, make one mail", async () => {
    for (let each = 0; each < 40; each += 1) await register(elsewhere(), practice.email);
    await mailCount(practice.email, 1);
    await settle();
    expect(mailsTo(practice.email)).toHaveLength(1);
  });

  test("S56: one network, when it asks with many spellings of one mailbox, has to wait after five", async () => {
    const stranger = elsewhere();
    const name = freshName();
    const codes = [];
    for (let each = 0; each < 8; each += 1) codes.push(await register(stranger, `${name}+${each}@example.org`));
    expect(codes.filter((code) => code === "")).toHaveLength(5);
  });

  test("auth.requestPasswordReset: the person, when thirty networks asked before, is mailed from a known device at once and from a new one in minutes", async () => {
    const ask = ({ api }: TestPerson) => codeOf(api.auth.requestPasswordReset.mutate({ email: practice.email }));
    for (let each = 0; each < 30; each += 1) expect(await ask(elsewhere())).toBe("");
    await mailCount(practice.email, AT_ONCE);
    const first = lastToken(practice.email);
    expect(await ask(practice)).toBe("");
    await mailCount(practice.email, AT_ONCE + 1);
    expect(await ask(elsewhere())).toBe("");
    moveTime(6 * MINUTE_MS);
    await mailWhatIsDue();
    await mailCount(practice.email, AT_ONCE + 2);
    const reset = aVisitor(app).api.auth.resetPassword.mutate({ token: first, password: "velvet compass orchard tin" });
    expect(await codeOf(reset)).toBe("");
  });
});

describe("many networks", () => {
  test("S39: the answer, when many networks guessed, offers a mail in the same words with an account and without, and the mail lets the person in", async () => {
    const words = [];
    const device = elsewhere();
    for (const email of [practice.email, `${freshName()}@example.org`]) {
      for (let each = 0; each < 30; each += 1) await signIn(elsewhere(), email, "wrong");
      for (let each = 0; each < 2; each += 1) await signIn(device, email, "wrong");
      words.push(await signIn(device, email, PASSWORD));
    }
    expect(words[0]).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(words[0]?.message).toContain("We can mail you a link to sign in");
    expect(words[1]).toEqual(words[0]);
    for (let each = 0; each < 30; each += 1)
      await elsewhere().api.auth.requestPasswordReset.mutate({ email: practice.email });
    await device.api.auth.requestPasswordReset.mutate({ email: practice.email });
    await mailCount(practice.email, AT_ONCE);
    const password = "velvet compass orchard tin";
    await device.api.auth.resetPassword.mutate({ token: lastToken(practice.email), password });
    for (let each = 0; each < 30; each += 1) await signIn(elsewhere(), practice.email, "wrong");
    expect((await signIn(device, practice.email, password)).code).toBe("");
  });

  test("S39: a recovery code, when eighty networks that know the password guessed codes, is heard on a new device", async () => {
    const { secret } = await practice.api.auth.startTwoFactor.mutate({ password: PASSWORD });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recoveryCodes } = await practice.api.auth.enableTwoFactor.mutate({ code });
    for (let each = 0; each < 80; each += 1) {
      const stranger = elsewhere();
      await signIn(stranger, practice.email, PASSWORD);
      await codeOf(stranger.api.auth.verifySecondFactor.mutate({ code: "000000" }));
    }
    const person = elsewhere();
    await signIn(person, practice.email, PASSWORD);
    const guess = () => refusal(person.api.auth.verifySecondFactor.mutate({ code: "000001" }));
    for (let each = 0; each < 2; each += 1) expect((await guess()).code).toBe("BAD_REQUEST");
    const tried = await guess();
    expect(tried.code).toBe("TOO_MANY_REQUESTS");
    expect(tried.message).toContain("recovery codes");
    const [recovery = ""] = recoveryCodes;
    expect(await codeOf(person.api.auth.verifySecondFactor.mutate({ code: recovery }))).toBe("");
  });

  test("S39: the device used every day, when the person signed in on eleven others meanwhile, is still known", async () => {
    for (let each = 0; each < 11; each += 1) {
      await signIn(elsewhere(), practice.email, PASSWORD);
      await signIn(practice, practice.email, PASSWORD);
    }
    for (let each = 0; each < 80; each += 1) await signIn(elsewhere(), practice.email, "wrong");
    expect((await signIn(practice, practice.email, PASSWORD)).code).toBe("");
  });
});
