import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { resetTokensTo } from "../support/mail/mailed-links.ts";
import { aPractice, aStaffUser, aVisitor, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const DAY_MS = 24 * 60 * 60_000;

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const invited = (email: string) => ({ email, firstName: "Tom", lastName: "Birch", role: 3 as const });
const tokenOf = (link: string | null) => new URL(link ?? "").searchParams.get("token") ?? "";
const accepted = (token: string) => ({ token, firstName: "Tom", lastName: "Birch", password: PASSWORD });
const userOf = (email: string) => mongoose.connection.collection("users").findOne({ email_address: email });

async function staffOf({ api }: TestPractice, email: string) {
  const found = (await api.staff.list.query()).items.find((user) => user.email === email);
  if (!found) throw new Error(`${email} is not on the list`);
  return found;
}

test("users: documents carry the names of the specification", async () => {
  const staff = await aStaffUser(app, practice);
  expect(await userOf(practice.email)).toMatchObject({
    _id: practice.ownerId,
    role: 1,
    mediator_type: "family",
    region: "england_wales",
    email_address: practice.email,
    first_name: "Ines",
    last_name: "Marchbank",
  });
  expect(await userOf(practice.email)).not.toHaveProperty("owner_id");
  expect(await userOf(staff.email)).toMatchObject({ role: 3, owner_id: practice.ownerId, region: "england_wales" });
});

test("users.colleagues: who works here stands there by name, the owner first, and who is suspended does not", async () => {
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const gone = await aStaffUser(app, practice);
  const { userId } = (await staff.api.auth.status.query()).user ?? {};
  await practice.api.staff.suspend.mutate({ id: (await staffOf(practice, gone.email)).id });
  const { items } = await staff.api.users.colleagues.query();
  expect(items).toEqual([
    { userId: practice.ownerId, name: "Ines Marchbank", role: 1, isAuthorised: false, isChildInclusive: false },
    { userId, name: "Tom Birch", role: 3, isAuthorised: false, isChildInclusive: false },
  ]);
});

test("staff.invite: without a mail server the owner gets the link, and the page can greet the person by it", async () => {
  const { isMailSent, link } = await practice.api.staff.invite.mutate({ id: newId(), ...invited("tom.a@example.org") });
  expect(isMailSent).toBe(false);
  const token = tokenOf(link);
  const { practiceName } = await practice.api.practices.get.query();
  const visitor = aVisitor(app);
  expect(await visitor.api.auth.invitation.query({ token })).toEqual({
    email: "tom.a@example.org",
    firstName: "Tom",
    lastName: "Birch",
    practiceName,
  });
  await visitor.api.auth.acceptInvitation.mutate(accepted(token));
  const { user } = await visitor.api.auth.status.query();
  expect(user).toMatchObject({
    ownerId: practice.ownerId,
    role: 3,
    hasAccess: true,
    subscriptionPlan: "pro",
    practiceName,
  });
  expect(user?.permissions).toContain("clients.write");
});

test("auth.acceptInvitation: of 50 at once one opens the account", async () => {
  const token = tokenOf(
    (await practice.api.staff.invite.mutate({ id: newId(), ...invited("tom.b@example.org") })).link,
  );
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => refusal(aVisitor(app).api.auth.acceptInvitation.mutate(accepted(token)))),
  );
  const codes = answers.map(({ code }) => code);
  expect(codes.filter((code) => code === "")).toHaveLength(1);
  // Those who come while a few of the same link are heard are asked to come again.
  expect(codes.filter((code) => !["", "NOT_FOUND", "TOO_MANY_REQUESTS"].includes(code))).toEqual([]);
});

test("auth.acceptInvitation: a link of more than seven days, or of a removed invitation, opens nothing", async () => {
  const old = tokenOf((await practice.api.staff.invite.mutate({ id: newId(), ...invited("tom.c@example.org") })).link);
  await practice.api.staff.removeInvitation.mutate({ id: (await staffOf(practice, "tom.c@example.org")).id });
  expect((await refusal(aVisitor(app).api.auth.invitation.query({ token: old }))).code).toBe("NOT_FOUND");
  const token = tokenOf(
    (await practice.api.staff.invite.mutate({ id: newId(), ...invited("tom.c@example.org") })).link,
  );
  expect((await refusal(aVisitor(app).api.auth.acceptInvitation.mutate(accepted(old)))).code).toBe("NOT_FOUND");
  moveTime(7 * DAY_MS + 1000);
  expect((await refusal(aVisitor(app).api.auth.acceptInvitation.mutate(accepted(token)))).code).toBe("NOT_FOUND");
});

test.each(["", " ", "ｘ"])(
  "staff.invite: an existing account is never touched, however its address is spelt (%j)",
  async (prefix) => {
    const victim = await aPractice(app);
    const before = await userOf(victim.email);
    const email = prefix === "ｘ" ? victim.email.replace("o", "ｏ").toUpperCase() : prefix + victim.email;
    const { link } = await practice.api.staff.invite.mutate({ id: newId(), ...invited(email) });
    const accepting = aVisitor(app).api.auth.acceptInvitation.mutate(accepted(tokenOf(link)));
    expect((await refusal(accepting)).message).toContain("has an account already");
    const users = mongoose.connection.collection<{ _id: string }>("users");
    expect(await users.findOne({ _id: victim.ownerId })).toEqual(before);
  },
);

test("staff.list: the owner first, then staff with their state", async () => {
  await aStaffUser(app, practice);
  await practice.api.staff.invite.mutate({ id: newId(), ...invited("tom.d@example.org") });
  const { items } = await practice.api.staff.list.query();
  expect(items.map(({ role, status }) => ({ role, status }))).toEqual([
    { role: 1, status: "active" },
    { role: 3, status: "active" },
    { role: 3, status: "invited" },
  ]);
});

test("staff.update: changed permissions count on the next call, and a second saver is told", async () => {
  const staff = await aStaffUser(app, practice);
  const { id, version } = await staffOf(practice, staff.email);
  await staff.api.clients.list.query({});
  await practice.api.staff.update.mutate({ id, role: 4, permissions: ["payments.read"], version });
  expect((await refusal(staff.api.clients.list.query({}))).code).toBe("FORBIDDEN");
  expect((await refusal(practice.api.staff.update.mutate({ id, role: 3, permissions: [], version }))).code).toBe(
    "CONFLICT",
  );
  expect(
    (await refusal(practice.api.staff.update.mutate({ id: practice.ownerId, role: 3, permissions: [], version: 0 })))
      .code,
  ).toBe("NOT_FOUND");
});

test("staff.invite: a practice that tries addresses, when ten links told that there is an account, hears no more", async () => {
  await mongoose.connection.collection("rate_limits").deleteMany({});
  const { email } = await aPractice(app);
  const { link } = await practice.api.staff.invite.mutate({ id: newId(), ...invited(email) });
  const free = await practice.api.staff.invite.mutate({ id: newId(), ...invited("new.one@example.org") });
  const look = (sent: string | null) => refusal(aVisitor(app).api.auth.invitation.query({ token: tokenOf(sent) }));
  const told = [];
  for (let tries = 0; tries < 11; tries += 1) told.push((await look(link)).code);
  expect(told).toEqual([...Array.from({ length: 10 }, () => "CONFLICT"), "TOO_MANY_REQUESTS"]);
  expect((await look(free.link)).code).toBe("TOO_MANY_REQUESTS");
  await mongoose.connection.collection("rate_limits").deleteMany({});
});

test("staff.reactivate: a link for a new password, when it is from before the suspension, works no more", async () => {
  const staff = await aStaffUser(app, practice);
  await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: staff.email });
  const token = await vi.waitFor(
    async () => {
      const [found] = await resetTokensTo(staff.email);
      expect(found).toBeDefined();
      return found ?? "";
    },
    { timeout: 15_000, interval: 200 },
  );
  const { id } = await staffOf(practice, staff.email);
  await practice.api.staff.suspend.mutate({ id });
  await practice.api.staff.reactivate.mutate({ id });
  const reset = aVisitor(app).api.auth.resetPassword.mutate({ token, password: "velvet compass orchard tin" });
  expect(Object.keys((await refusal(reset)).fields)).toEqual(["token"]);
});

test("staff.suspend: ends the sign-in at once and refuses the next; reactivate opens it again", async () => {
  const staff = await aStaffUser(app, practice);
  const { id } = await staffOf(practice, staff.email);
  expect((await practice.api.staff.suspend.mutate({ id })).status).toBe("suspended");
  expect((await refusal(staff.api.auth.listDevices.query())).code).toBe("UNAUTHORIZED");
  const visitor = aVisitor(app);
  const unknown = await refusal(
    visitor.api.auth.signIn.mutate({ email: "nobody.at.all@example.org", password: PASSWORD }),
  );
  expect(await refusal(visitor.api.auth.signIn.mutate({ email: staff.email, password: PASSWORD }))).toEqual(unknown);
  expect((await refusal(practice.api.staff.suspend.mutate({ id }))).code).toBe("PRECONDITION_FAILED");
  await practice.api.staff.reactivate.mutate({ id });
  expect(await visitor.api.auth.signIn.mutate({ email: staff.email, password: PASSWORD })).toEqual({ next: "done" });
});

const ACCREDITATION = { isAccredited: true, accreditationNumber: "1234A" };

test("users.updateProfile: changes the names, and refuses a version that is not the newest", async () => {
  const { version } = await practice.api.users.profile.query();
  const changed = await practice.api.users.updateProfile.mutate({
    ...ACCREDITATION,
    firstName: "Inès",
    lastName: "O’Neill",
    version,
  });
  expect(changed).toEqual({
    ...ACCREDITATION,
    firstName: "Inès",
    lastName: "O’Neill",
    isAccreditationConfirmed: false,
    isChildInclusive: false,
    isChildInclusiveConfirmed: false,
    version: version + 1,
  });
  expect((await practice.api.auth.status.query()).user?.userFullName).toBe("Inès O’Neill");
  expect(
    (
      await refusal(
        practice.api.users.updateProfile.mutate({ ...ACCREDITATION, firstName: "Late", lastName: "Saver", version }),
      )
    ).code,
  ).toBe("CONFLICT");
});
