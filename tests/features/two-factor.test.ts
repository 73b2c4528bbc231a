import mongoose from "mongoose";
import { TOTP, Secret } from "otpauth";
import { beforeEach, expect, test } from "vitest";
import { aPractice, aStaffUser, aVisitor, PASSWORD, type TestPerson } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const STEP_MS = 30_000;

let elapsedMs: number;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => {
  elapsedMs = 0;
});

const codeAt = (secret: string, ms: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ms });

/** A code that was not used yet: the time moves on by two steps. */
function nextCode(secret: string): string {
  elapsedMs += 2 * STEP_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: moveTime(elapsedMs).getTime() });
}

async function switchOn(person: TestPerson) {
  const { secret, uri } = await person.api.auth.startTwoFactor.mutate({ password: PASSWORD });
  const { recoveryCodes } = await person.api.auth.enableTwoFactor.mutate({ code: nextCode(secret) });
  return { secret, uri, recoveryCodes };
}

async function passwordGiven(person: TestPerson): Promise<TestPerson> {
  const visitor = aVisitor(app);
  expect(await visitor.api.auth.signIn.mutate({ email: person.email, password: PASSWORD })).toEqual({
    next: "second_factor",
  });
  return visitor;
}

test("auth.enableTwoFactor: gives ten recovery codes and ends the other sign-ins; the secret is stored encrypted", async () => {
  const other = aVisitor(app);
  await other.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD });
  const { secret, uri, recoveryCodes } = await switchOn(practice);
  expect(uri).toMatch(/^otpauth:\/\/totp\/Evenhand:/);
  expect(recoveryCodes).toHaveLength(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect((await other.api.auth.status.query()).user).toBeNull();
  expect((await practice.api.auth.status.query()).user?.isTwoFactorOn).toBe(true);
  const stored = JSON.stringify(await mongoose.connection.collection("users").find().toArray());
  expect(stored).not.toContain(secret);
  for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll("-", ""));
});

test("auth.verifySecondFactor: until it is given nothing is open but itself", async () => {
  const { secret } = await switchOn(practice);
  const visitor = await passwordGiven(practice);
  expect(await visitor.api.auth.status.query()).toMatchObject({ user: null, isSecondFactorPending: true });
  expect((await refusal(visitor.api.auth.listDevices.query())).code).toBe("UNAUTHORIZED");
  expect(
    (
      await refusal(
        visitor.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: "velvet compass orchard" }),
      )
    ).code,
  ).toBe("UNAUTHORIZED");
  const before = visitor.cookies();
  expect(await visitor.api.auth.verifySecondFactor.mutate({ code: nextCode(secret) })).toEqual({ next: "done" });
  expect(visitor.cookies()).not.toBe(before);
  expect((await visitor.api.auth.status.query()).user?.userEmail).toBe(practice.email);
});

test("auth.verifySecondFactor: a code works once, and one step early or late", async () => {
  const { secret } = await switchOn(practice);
  const code = nextCode(secret);
  await (await passwordGiven(practice)).api.auth.verifySecondFactor.mutate({ code });
  const replayed = await passwordGiven(practice);
  expect((await refusal(replayed.api.auth.verifySecondFactor.mutate({ code }))).fields["code"]).toMatch(
    /not right, or was used before/,
  );
  moveTime(elapsedMs + 4 * STEP_MS);
  const late = codeAt(secret, elapsedMs + 3 * STEP_MS);
  expect(await replayed.api.auth.verifySecondFactor.mutate({ code: late })).toEqual({ next: "done" });
  const early = codeAt(secret, elapsedMs + 6 * STEP_MS);
  expect(
    (await refusal((await passwordGiven(practice)).api.auth.verifySecondFactor.mutate({ code: early }))).code,
  ).toBe("BAD_REQUEST");
});

test("auth.verifySecondFactor: of 20 with the same code at once one gets in", async () => {
  const { recoveryCodes } = await switchOn(practice);
  const [code = ""] = recoveryCodes;
  const visitor = await passwordGiven(practice);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => refusal(visitor.api.auth.verifySecondFactor.mutate({ code }))),
  );
  expect(answers.filter((answer) => answer.code === "")).toHaveLength(1);
});

test("auth.verifySecondFactor: a recovery code works once, in any spelling", async () => {
  const { recoveryCodes } = await switchOn(practice);
  const [code = ""] = recoveryCodes;
  await (
    await passwordGiven(practice)
  ).api.auth.verifySecondFactor.mutate({ code: ` ${code.toLowerCase().replaceAll("-", " ")}` });
  const again = await passwordGiven(practice);
  expect((await refusal(again.api.auth.verifySecondFactor.mutate({ code }))).code).toBe("BAD_REQUEST");
});

test("auth.verifySecondFactor: five wrong codes pause it, and a new password entry does not help", async () => {
  const { secret } = await switchOn(practice);
  const visitor = await passwordGiven(practice);
  for (let count = 0; count < 5; count += 1) {
    expect((await refusal(visitor.api.auth.verifySecondFactor.mutate({ code: "000000" }))).code).toBe("BAD_REQUEST");
  }
  const paused = await passwordGiven(practice);
  expect((await refusal(paused.api.auth.verifySecondFactor.mutate({ code: nextCode(secret) }))).code).toBe(
    "TOO_MANY_REQUESTS",
  );
});

test("auth.disableTwoFactor: wants password and code", async () => {
  const { secret } = await switchOn(practice);
  expect(
    (await refusal(practice.api.auth.disableTwoFactor.mutate({ password: "wrong", code: nextCode(secret) }))).fields[
      "password"
    ],
  ).toBeDefined();
  expect(
    (await refusal(practice.api.auth.disableTwoFactor.mutate({ password: PASSWORD, code: "000000" }))).fields["code"],
  ).toBeDefined();
  await practice.api.auth.disableTwoFactor.mutate({ password: PASSWORD, code: nextCode(secret) });
  expect(await aVisitor(app).api.auth.signIn.mutate({ email: practice.email, password: PASSWORD })).toEqual({
    next: "done",
  });
});

test("practices.update: once the owner asks for a second factor, staff set one up before anything else", async () => {
  const staff = await aStaffUser(app, practice);
  await switchOn(practice);
  const { currency: _, ...settings } = await practice.api.practices.get.query();
  await practice.api.practices.update.mutate({ ...settings, isTwoFactorRequired: true });
  expect((await staff.api.auth.status.query()).user?.mustSetUpTwoFactor).toBe(true);
  expect((await refusal(staff.api.clients.list.query({}))).code).toBe("FORBIDDEN");
  await switchOn(staff);
  expect((await staff.api.auth.status.query()).user?.mustSetUpTwoFactor).toBe(false);
  expect((await refusal(practice.api.auth.disableTwoFactor.mutate({ password: PASSWORD, code: "000000" }))).code).toBe(
    "PRECONDITION_FAILED",
  );
});
