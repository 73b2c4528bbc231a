// What waits for want of a way to send: who waits for what, and no link that is somebody else's.
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { expect, test, vi } from "vitest";
import { resetTokensTo } from "../support/mail/mailed-links.ts";
import { aPractice, aStaffUser, aVisitor, PASSWORD, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const mailTo = async (email: string) => {
  const { items } = await practice.api.mail.listUnsent.query({});
  return items.find(({ to }) => to === email);
};

/** Asks for a link and gives its token, as it is stored. */
async function asked(email: string): Promise<string> {
  await aVisitor(app).api.auth.requestPasswordReset.mutate({ email });
  return vi.waitFor(
    async () => {
      const [token = ""] = await resetTokensTo(email);
      expect(token).not.toBe("");
      return token;
    },
    { timeout: 15_000, interval: 100 },
  );
}

test.each<[string, () => Promise<TestPerson>]>([
  ["a mediator", () => aStaffUser(app, practice, { role: 2 })],
  ["finance", () => aStaffUser(app, practice, { role: 4 })],
  ["the owner, whose sign-in may be in other hands", () => Promise.resolve(practice)],
])("S73: a link for a new password of %s, when it cannot leave, waits in the list without it", async (_who, whose) => {
  const { email } = await whose();
  const token = await asked(email);
  const mail = await mailTo(email);
  expect(mail).toMatchObject({
    state: "unsent",
    subject: "Choose a new password",
    reason: expect.stringContaining("no way to send it"),
    isLinkLeftOut: true,
  });
  expect(mail?.text).toContain("The link is left out here");
  expect(JSON.stringify(mail)).not.toContain(token);
  expect(JSON.stringify(mail)).not.toMatch(/token=|https?:/);
  await aVisitor(app).api.auth.resetPassword.mutate({ token, password: "velvet compass orchard tin" });
});

test("S73: a link for a new password, when its mail was given up after all tries, is left out too", async () => {
  const { email } = await aStaffUser(app, practice, { role: 2 });
  const token = await asked(email);
  await mongoose.connection.collection("system_mails").updateMany({ to: email }, { $set: { state: "failed" } });
  const mail = await mailTo(email);
  expect([mail?.state, mail?.isLinkLeftOut, JSON.stringify(mail).includes(token)]).toEqual(["failed", true, false]);
});

test("S73: an invitation, when the owner who made it looks, stands with its link, to be passed on", async () => {
  const email = "vera@example.org";
  const { link } = await practice.api.staff.invite.mutate({
    id: newId(),
    email,
    firstName: "Vera",
    lastName: "Lind",
    role: 3,
  });
  expect(await mailTo(email)).toMatchObject({ isLinkLeftOut: false, text: expect.stringContaining(link ?? "none") });
});

test("S73: an invitation, when it is not known who made it, stands without its link", async () => {
  const email = "vera@example.org";
  await practice.api.staff.invite.mutate({ id: newId(), email, firstName: "Vera", lastName: "Lind", role: 3 });
  const mails = mongoose.connection.collection("system_mails");
  await mails.updateMany({ owner_id: practice.ownerId }, { $unset: { link_made_by: "" } });
  const mail = await mailTo(email);
  expect(mail?.isLinkLeftOut).toBe(true);
  expect(mail?.text).not.toContain("token=");
});

test("a notice that lets nobody in, when it cannot leave, is shown as it was written", async () => {
  await practice.api.auth.changePassword.mutate({ currentPassword: PASSWORD, password: "velvet compass orchard tin" });
  expect(await mailTo(practice.email)).toMatchObject({
    isLinkLeftOut: false,
    text: expect.stringContaining("/resetpassword\n\n"),
  });
});
