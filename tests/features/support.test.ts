import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aPractice } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(() => startTestApp({ SUPPORT_EMAIL: "support@example.org" }));

const reports = () => mongoose.connection.collection("system_mails").find({ to: "support@example.org" }).toArray();

test("support.reportError: one mail per cause in five minutes, in the words of the specification", async () => {
  const { api, email } = await aPractice(app);
  const report = { component: "Calendar", message: "The month could not be drawn" };
  const answers = await Promise.all(Array.from({ length: 50 }, () => api.support.reportError.mutate(report)));
  expect(answers.filter(({ isReported }) => isReported)).toHaveLength(1);
  expect((await reports()).map(({ subject }) => subject)).toEqual([`Error on component [Calendar] from ${email}`]);
  expect(await api.support.reportError.mutate({ ...report, message: "Another cause" })).toEqual({ isReported: true });
  moveTime(5 * 60_000 + 1000);
  expect(await api.support.reportError.mutate(report)).toEqual({ isReported: true });
});

test.each(["Router\r\nBcc: victim@example.org", "Router\u2028x", "", "x".repeat(81)])(
  "support.reportError: the component %j is refused",
  async (component) => {
    const { api } = await aPractice(app);
    expect(
      (await refusal(api.support.reportError.mutate({ component, message: "x" }))).fields["component"],
    ).toBeDefined();
  },
);

test("auth.status: a subscription check that fails means no access, and is reported once as component Router", async () => {
  const practice = await aPractice(app);
  const before = (await reports()).length;
  // A plan list that is none makes the check itself fail.
  await mongoose.connection
    .collection<{ _id: string }>("customers")
    .updateOne({ _id: practice.ownerId }, { $set: { subscriptions: "broken" } });
  for (let count = 0; count < 3; count += 1) {
    expect((await practice.api.auth.status.query()).user).toMatchObject({ hasAccess: false, subscriptionPlan: null });
  }
  expect((await refusal(practice.api.clients.list.query({}))).code).toBe("PAYMENT_REQUIRED");
  const after = await reports();
  expect(after).toHaveLength(before + 1);
  expect(after.at(-1)?.["subject"]).toMatch(/^Error on component \[Router\] from /);
});

test("support.reportError: a practice that reports thirty causes, when another has one, keeps nobody back, nor the server", async () => {
  await mongoose.connection.collection("rate_limits").deleteMany({});
  const [noisy, other] = [await aPractice(app), await aPractice(app)];
  const isReported = async ({ api }: typeof noisy, message: string) =>
    (await api.support.reportError.mutate({ component: "Calendar", message })).isReported;
  const answers = [];
  for (let cause = 0; cause < 30; cause += 1) answers.push(await isReported(noisy, `Cause ${cause}`));
  expect(answers.filter(Boolean)).toHaveLength(10);
  expect(await isReported(other, "Cause 29")).toBe(true);
  expect(await isReported(noisy, "One more")).toBe(false);
});
