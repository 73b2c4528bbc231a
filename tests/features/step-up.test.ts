import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { Secret, TOTP } from "otpauth";
import { describe, expect, test, vi } from "vitest";
import { call, callRaw, doorOf, guarded, guardedRoutes } from "../support/access/access-scenario.ts";
import { NOBODY } from "../support/access/access-target.ts";
import { resetTokensTo } from "../support/mail/mailed-links.ts";
import { aPractice, aStaffUser, aVisitor, PASSWORD, type TestPerson } from "../support/server/people.ts";
import { pathsOf } from "../support/access/procedures.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const MINUTE_MS = 60_000;
const ANOTHER_PASSWORD = "velvet compass orchard tin";

/** What gives access away or takes it for good, and so asks whoever did not show for ten minutes who they are. */
const ASKS = [
  "auth.enableTwoFactor",
  "auth.endDevice",
  "auth.requireConfirmation",
  "auth.signOutEverywhere",
  "leads.erase",
  "mailboxes.connect",
  "mailboxes.disconnect",
  "mailboxes.share",
  "mailboxes.startSignIn",
  "meetings.makeFeed",
  "practices.update",
  "safeguarding.setOfficer",
  "signatures.certificate.add",
  "signatures.certificate.remove",
  "staff.confirmAccreditation",
  "staff.invite",
  "staff.reactivate",
  "staff.update",
  "subscriptions.openPortal",
  "users.updateProfile",
];

const SIGNS_IN = "is how somebody shows who they are";
const LINK = "takes a secret that was mailed or handed to the person";
const PASSWORD_IN_CALL = "asks for the password in the same call";
const TAKES_AWAY = "only takes access away, which must never wait";
const PAYMENT = "leads to the payment provider's own page, and changes nothing here";

/** Every other change to accounts, practices and mailboxes, and why it does not ask. */
const DOES_NOT_ASK: Record<string, string> = {
  "auth.signIn": SIGNS_IN,
  "auth.verifySecondFactor": SIGNS_IN,
  "auth.confirmIdentity": SIGNS_IN,
  "auth.setUp": SIGNS_IN,
  "auth.register": SIGNS_IN,
  "auth.signOut": TAKES_AWAY,
  "auth.acceptInvitation": LINK,
  "auth.confirmRegistration": LINK,
  "auth.requestPasswordReset": LINK,
  "auth.resetPassword": LINK,
  "auth.changePassword": PASSWORD_IN_CALL,
  "auth.startTwoFactor": PASSWORD_IN_CALL,
  "auth.disableTwoFactor": PASSWORD_IN_CALL,
  "staff.suspend": TAKES_AWAY,
  "staff.removeInvitation": TAKES_AWAY,
  "mailboxes.lookUp": "changes nothing",
  "mailboxes.check": "changes nothing",
  "mailboxes.finishSignIn": "takes the state of a start, which asked, in this very sign-in and for ten minutes",
  "meetings.revokeFeed": TAKES_AWAY,
  "subscriptions.startCheckout": PAYMENT,
};
const ABOUT_ACCESS =
  /^(auth|users|staff|access|practices|mailboxes|subscriptions|signatures\.certificate)\.|feed|export|delete|erase|owner|officer/i;

/** What is handed out over plain HTTP without asking: one thing each. */
const ONE_THING = [
  "GET /document-pictures/:textId/:id",
  "GET /export/certificates/:id.pdf",
  "GET /export/documents/:id.docx",
  "GET /export/documents/:id.pdf",
  "GET /export/mail/attachment",
  "GET /export/mail/message",
  "GET /files/:id",
  "GET /form-files/:id",
  "GET /practice-logo/:id",
];

interface StoredSession {
  _id: string;
  user_id: string;
  signed_in_at: Date;
  confirmed_at?: Date;
}

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const sessions = () => mongoose.connection.collection<StoredSession>("auth_sessions");
const ago = (ms: number) => new Date(Date.now() - ms);
const CODE = "REAUTH_REQUIRED";

/** It is so long since whoever sits there showed who they are; eleven minutes where left out. */
async function leaveAlone(person: TestPerson, ms = 11 * MINUTE_MS) {
  const { user } = await person.api.auth.status.query();
  await sessions().updateMany({ user_id: user?.userId ?? "" }, { $set: { confirmed_at: ago(ms) } });
}

const invite = ({ api }: TestPerson) =>
  api.staff.invite.mutate({
    id: newId(),
    email: `tom${Math.random()}@example.org`,
    firstName: "Tom",
    lastName: "Birch",
    role: 3,
  });
const codeOf = async (promise: Promise<unknown>) => (await refusal(promise)).code;

async function switchOnTwoFactor({ api }: TestPerson) {
  const { secret } = await api.auth.startTwoFactor.mutate({ password: PASSWORD });
  const codeIn = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const { recoveryCodes } = await api.auth.enableTwoFactor.mutate({ code: codeIn(-1) });
  return { codeIn, recoveryCodes };
}

const AT_ONCE = 20;

describe("what asks", () => {
  test("step-up: every change about access, when there is one, asks or is known not to", () => {
    const known = [...ASKS, ...Object.keys(DOES_NOT_ASK)].toSorted();
    expect(
      pathsOf("mutation")
        .filter((path) => ABOUT_ACCESS.test(path))
        .toSorted(),
    ).toEqual(known);
  });

  test("S44: every way to take something out, when there is one, asks or hands out one thing", () => {
    const ways = guardedRoutes.filter((name) => name.startsWith("GET ") && !doorOf(name).asksAgain);
    expect(ways.toSorted()).toEqual(ONE_THING);
  });

  test.each(guardedRoutes.filter((name) => doorOf(name).asksAgain))(
    "S44: %s, when nobody confirmed for eleven minutes, asks first and gives nothing",
    async (name) => {
      await leaveAlone(practice);
      const { code, text } = await callRaw(app, practice, name, NOBODY);
      expect(code).toBe(CODE);
      expect(text).toContain("Confirm with your password");
      expect(await codeOf(practice.api.auth.requireConfirmation.mutate())).toBe(CODE);
      await practice.api.auth.confirmIdentity.mutate({ password: PASSWORD });
      expect((await callRaw(app, practice, name, NOBODY)).code).not.toBe(CODE);
      expect(await codeOf(practice.api.auth.requireConfirmation.mutate())).toBe("");
    },
  );

  test("step-up: exactly those listed, when nobody confirmed for eleven minutes, ask, and pass once somebody did", async () => {
    await leaveAlone(practice);
    const asking = async () => {
      const answers: { path: string; code: string }[] = [];
      // All of them at once are more than one person's turn.
      for (let at = 0; at < guarded.length; at += AT_ONCE)
        answers.push(
          ...(await Promise.all(
            guarded
              .slice(at, at + AT_ONCE)
              .map(async (path) => ({ path, ...(await call(app, practice, path, { $ne: null })) })),
          )),
        );
      return answers.filter(({ code }) => code === CODE).map(({ path }) => path);
    };
    expect((await asking()).toSorted()).toEqual(ASKS);
    await practice.api.auth.confirmIdentity.mutate({ password: PASSWORD });
    expect(await asking()).toEqual([]);
  });

  test("step-up: the refusal, when it comes, is a 403 that says what to do, and nothing was changed", async () => {
    await leaveAlone(practice);
    const { message, code } = await refusal(invite(practice));
    expect({ message, code }).toEqual({ message: expect.stringContaining("Confirm with your password"), code: CODE });
    expect((await practice.api.staff.list.query()).items).toHaveLength(1);
    const { text } = await call(app, practice, "staff.invite", { $ne: null });
    expect(text).toContain('"httpStatus":403');
  });

  test("step-up: somebody without the permission, when they did not confirm, hears of the permission only", async () => {
    const staff = await aStaffUser(app, practice, { permissions: [] });
    await leaveAlone(staff);
    expect(await codeOf(invite(staff))).toBe("FORBIDDEN");
    expect(await codeOf(staff.api.mailboxes.startSignIn.mutate({ provider: "Google" }))).toBe("FORBIDDEN");
  });
});

describe("how long it lasts", () => {
  test.each([
    ["nine minutes ago", 9, ""],
    ["more than ten minutes ago", 10.1, CODE],
    ["by a clock that is an hour ahead", -60, CODE],
  ])("step-up: a confirmation %s, when something asks, counts as it should", async (_when, minutes, code) => {
    await leaveAlone(practice, minutes * MINUTE_MS);
    expect(await codeOf(invite(practice))).toBe(code);
  });

  test("step-up: a sign-in from before confirmations were kept, when something asks, counts from its start", async () => {
    await sessions().updateMany({ user_id: practice.ownerId }, { $unset: { confirmed_at: 1 } });
    expect(await codeOf(invite(practice))).toBe("");
    await sessions().updateMany({ user_id: practice.ownerId }, { $set: { signed_in_at: ago(11 * MINUTE_MS) } });
    expect(await codeOf(invite(practice))).toBe(CODE);
  });

  test("step-up: use without confirming, when it goes on, does not prolong it", async () => {
    await leaveAlone(practice, 9 * MINUTE_MS);
    await sessions().updateMany({ user_id: practice.ownerId }, { $set: { last_seen_at: ago(6 * MINUTE_MS) } });
    await practice.api.clients.list.query({});
    const [session] = await sessions().find({ user_id: practice.ownerId }).toArray();
    expect(session?.confirmed_at?.getTime()).toBeLessThan(ago(8 * MINUTE_MS).getTime());
  });
});

describe("auth.confirmIdentity", () => {
  test("auth.confirmIdentity: the right password, when it is given, counts for this browser alone", async () => {
    const other = aVisitor(app);
    await other.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD });
    const staff = await aStaffUser(app, practice);
    await leaveAlone(practice);
    await staff.api.auth.confirmIdentity.mutate({ password: PASSWORD });
    await other.api.auth.confirmIdentity.mutate({ password: PASSWORD });
    expect(await codeOf(invite(practice))).toBe(CODE);
    const before = practice.cookies();
    await practice.api.auth.confirmIdentity.mutate({ password: PASSWORD });
    expect(practice.cookies()).toBe(before);
    expect(await codeOf(invite(practice))).toBe("");
    expect((await other.api.auth.status.query()).user).not.toBeNull();
  });

  test("auth.confirmIdentity: wrong passwords, when there were five, pause it in the database and sign nobody out", async () => {
    await leaveAlone(practice);
    const guesses = Array.from({ length: 20 }, () =>
      codeOf(practice.api.auth.confirmIdentity.mutate({ password: "wrong" })),
    );
    const codes = await Promise.all(guesses);
    expect(codes.filter((code) => code === "BAD_REQUEST").length).toBeLessThanOrEqual(5);
    const right = await refusal(practice.api.auth.confirmIdentity.mutate({ password: PASSWORD }));
    expect(right).toMatchObject({ code: "TOO_MANY_REQUESTS", message: expect.stringContaining("minutes") });
    const limits = mongoose.connection.collection<{ _id: string; open_at: Date }>("rate_limits");
    const kept = (await limits.find({}).toArray()).find(({ _id }) => _id.startsWith(`password:${practice.ownerId}:`));
    expect(kept?.open_at.getTime()).toBeGreaterThan(Date.now());
    expect(await codeOf(invite(practice))).toBe(CODE);
    expect((await practice.api.auth.status.query()).user?.userId).toBe(practice.ownerId);
    expect(await aVisitor(app).api.auth.signIn.mutate({ email: practice.email, password: PASSWORD })).toEqual({
      next: "done",
    });
  });

  test("auth.confirmIdentity: a wrong password, when it is given, is refused beside its field with the tries left", async () => {
    const { fields } = await refusal(practice.api.auth.confirmIdentity.mutate({ password: "wrong" }));
    expect(fields["password"]).toMatch(/^The password is not right. You have 4 more tries/);
  });

  test("auth.confirmIdentity: somebody with a second factor, when they confirm, needs password and code", async () => {
    const { codeIn, recoveryCodes } = await switchOnTwoFactor(practice);
    await leaveAlone(practice);
    const confirm = (input: { password: string; code?: string }) =>
      refusal(practice.api.auth.confirmIdentity.mutate(input));
    expect((await confirm({ password: PASSWORD })).fields).toEqual({ code: expect.stringContaining("six digits") });
    expect((await confirm({ password: PASSWORD, code: "000000" })).fields).toHaveProperty("code");
    // One code throughout, whatever the clock says meanwhile.
    const code = codeIn(0);
    expect((await confirm({ password: "wrong", code })).fields).toHaveProperty("password");
    expect(await codeOf(invite(practice))).toBe(CODE);
    expect((await confirm({ password: PASSWORD, code })).code).toBe("");
    expect(await codeOf(invite(practice))).toBe("");
    await leaveAlone(practice);
    expect((await confirm({ password: PASSWORD, code })).fields).toHaveProperty("code");
    expect(await codeOf(invite(practice))).toBe(CODE);
    expect((await confirm({ password: PASSWORD, code: recoveryCodes[0] ?? "" })).code).toBe("");
    expect(await codeOf(invite(practice))).toBe("");
  });
});

describe("the ways around it", () => {
  test("auth.changePassword: somebody with a second factor, when they change it, has not confirmed by that", async () => {
    await switchOnTwoFactor(practice);
    await leaveAlone(practice);
    await practice.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: ANOTHER_PASSWORD });
    expect(await codeOf(invite(practice))).toBe(CODE);
  });

  test("auth.changePassword: somebody without a second factor, when they change it, has confirmed by that", async () => {
    await leaveAlone(practice);
    await practice.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: ANOTHER_PASSWORD });
    expect(await codeOf(invite(practice))).toBe("");
  });

  test("auth.enableTwoFactor: a set-up left on the screen, when eleven minutes have passed, is not finished by anybody", async () => {
    await leaveAlone(practice);
    const { secret } = await practice.api.auth.startTwoFactor.mutate({ password: PASSWORD });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await leaveAlone(practice);
    expect(await codeOf(practice.api.auth.enableTwoFactor.mutate({ code }))).toBe(CODE);
    await practice.api.auth.confirmIdentity.mutate({ password: PASSWORD });
    expect((await practice.api.auth.enableTwoFactor.mutate({ code })).recoveryCodes).toHaveLength(10);
  });

  test("auth.startTwoFactor: a wrong password, or a factor that is on, when it is called, confirms nothing", async () => {
    await leaveAlone(practice);
    expect(await codeOf(practice.api.auth.startTwoFactor.mutate({ password: "wrong" }))).toBe("BAD_REQUEST");
    expect(await codeOf(invite(practice))).toBe(CODE);
    await switchOnTwoFactor(practice);
    await leaveAlone(practice);
    expect(await codeOf(practice.api.auth.startTwoFactor.mutate({ password: PASSWORD }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(invite(practice))).toBe(CODE);
  });
});

describe("the notice by mail", () => {
  /** Subjects and words of what the product wrote to this address, oldest first. */
  const noticesTo = async (email: string) => {
    const { items } = await practice.api.mail.listUnsent.query({});
    return items.filter(({ to }) => to === email).toReversed();
  };

  test("a changed password: the person, when they changed it, is told when, from where and what to do", async () => {
    await practice.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: ANOTHER_PASSWORD });
    const [notice, ...more] = await noticesTo(practice.email);
    expect(more).toEqual([]);
    expect(notice?.subject).toBe("Your password was changed");
    expect(notice?.text).toMatch(
      /\n\nWhen: \w+ \d{1,2} \w+ 20\d\d, \d\d:\d\d \(United Kingdom Time\)\nFrom: .+, network address \S*127\.0\.0\.1\n\n/,
    );
    expect(notice?.text).toContain("/resetpassword\n\n");
    expect(notice?.text).toContain("whoever runs this installation");
    expect(notice?.text).not.toContain(ANOTHER_PASSWORD);
  });

  test("a second factor: a member of staff, when it goes on and off, is told at their own address", async () => {
    const staff = await aStaffUser(app, practice);
    const { codeIn } = await switchOnTwoFactor(staff);
    await staff.api.auth.disableTwoFactor.mutate({ password: PASSWORD, code: codeIn(0) });
    const notices = (await noticesTo(staff.email)).filter(({ subject }) => subject.includes("second factor"));
    expect(notices.map(({ subject }) => subject)).toEqual([
      "A second factor was switched on",
      "The second factor was switched off",
    ]);
    expect(notices[0]?.text).toContain("the owner of your practice");
    expect(await noticesTo(practice.email)).toEqual([]);
  });

  test("a password reset: the person, when the link was used, is told, and nobody where the link is wrong", async () => {
    await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: practice.email });
    const link = await vi.waitFor(
      async () => {
        const [token] = await resetTokensTo(practice.email);
        expect(token).toBeDefined();
        return token ?? "";
      },
      { timeout: 15_000, interval: 200 },
    );
    const reset = (token: string) => aVisitor(app).api.auth.resetPassword.mutate({ token, password: ANOTHER_PASSWORD });
    expect(await codeOf(reset("x".repeat(43)))).toBe("BAD_REQUEST");
    expect(await noticesTo(practice.email)).toHaveLength(1);
    await reset(link);
    await practice.api.auth.signIn.mutate({ email: practice.email, password: ANOTHER_PASSWORD });
    expect((await noticesTo(practice.email)).map(({ subject }) => subject)).toContain("Your password was changed");
  });
});
