// The fallback service takes one mail in a second: whose is next, and what becomes of those that have to wait.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { sendMail } from "@app/server/features/mail/mail.service";
import { sendTemplate } from "@app/server/features/mail/senders/emailjs.service";
import { queueSystemMail } from "@app/server/features/mail/system-mail-delivery.service";
import mongoose from "mongoose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { aPayload, EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aClient, aPractice, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll } from "../support/mail/mail-for-tests.ts";
import { aLetterTo } from "../support/mail/letters.ts";

const THROTTLE_MS = 100;
const MINUTE_MS = 60_000;
const log = createLogger("silent");
let many: TestPractice;
let few: TestPractice;
const network = aMailNetworkForAll();
const app = forAllTests(() => startTestApp(EMAILJS_SETTINGS));
beforeEach(async () => {
  [many, few] = [await aPractice(app), await aPractice(app)];
  // What the last test waited for is not this one's affair.
  await mongoose.connection.collection<{ _id: string }>("rate_limits").deleteOne({ _id: "emailjs" });
});
afterEach(() => {
  vi.restoreAllMocks();
  pace(0);
});

const pace = (EMAILJS_THROTTLE_MS: number) => configure({ ...settings(), EMAILJS_THROTTLE_MS });
const place = (address: string) => network.asked.findIndex(({ text }) => text.includes(address));
const send = ({ ownerId }: TestPractice, address: string) =>
  sendMail({ userId: ownerId, payload: aPayload({ to_email: address }) }, { patienceMs: MINUTE_MS });
const ofProduct = (ownerId: string | null) => {
  const to = `${newId().toLowerCase()}@example.org`;
  return { ownerId, to, subject: "Choose a new password", text: "Here.", hasLink: true };
};
const storedTo = (to: string) => mongoose.connection.collection("system_mails").findOne({ to });
const waitUntilSent = (address: string) =>
  vi.waitFor(() => expect(place(address)).toBeGreaterThanOrEqual(0), { timeout: 15_000, interval: 20 });

test("S75: mail by the fallback service, when one practice sends forty at once, lets every second one of another practice through", async () => {
  pace(THROTTLE_MS);
  const flood = Array.from({ length: 40 }, (_, index) => send(many, `sink${index}@example.net`));
  await waitUntilSent("sink");
  const before = network.asked.length;
  const others = ["a", "b", "c", "d", "e"].map((name) => `${name}@example.org`);
  for (const sent of await Promise.all(others.map((address) => send(few, address))))
    expect(sent).toMatchObject({ success: true });
  // Judging each of them takes a moment too.
  for (const address of others) expect(place(address) - before).toBeLessThanOrEqual(16);
  expect(await Promise.all(flood)).toHaveLength(40);
});

test("S75: mail of the product, when people's mail keeps the service busy, leaves every second time at least", async () => {
  pace(THROTTLE_MS);
  const flood = Array.from({ length: 40 }, (_, index) => send(index % 2 ? many : few, `sink${index}@example.net`));
  await waitUntilSent("sink");
  const before = network.asked.length;
  const resets = [many, few, few].map(({ ownerId }) => ofProduct(ownerId));
  await Promise.all(resets.map((mail) => queueSystemMail(mail, log)));
  for (const { to } of resets) await waitUntilSent(to);
  // Storing each of them takes a moment too.
  for (const { to } of resets) expect(place(to) - before).toBeLessThanOrEqual(16);
  await Promise.all(flood);
});

test("S77: mail of the product, when there is no room for it, waits with no try counted", async () => {
  pace(60 * MINUTE_MS);
  await send(many, "sink@example.net");
  const mail = ofProduct(few.ownerId);
  const other = ofProduct(null);
  for (const one of [mail, other]) await queueSystemMail(one, log);
  for (const { to } of [mail, other])
    await vi.waitFor(
      async () =>
        expect(await storedTo(to)).toMatchObject({ state: "queued", attempts: 0, heldBy: expect.stringMatching(/./) }),
      { timeout: 15_000, interval: 50 },
    );
  expect(network.asked).toHaveLength(1);
});

test("S77: a letter, when the fallback service has no room for it, waits with no try counted", async () => {
  pace(60 * MINUTE_MS);
  await send(many, "sink@example.net");
  const { id: clientId, email } = await few.api.clients.create.mutate(aClient({ email: "rosa@example.org" }));
  await few.api.compose.send.mutate({ id: newId(), ...aLetterTo(email, { clientId }), sendAt: null });
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  const kept = mongoose.connection.collection("email_messages");
  const stored = await kept.findOne({ ownerId: few.ownerId });
  expect(stored).toMatchObject({ state: "queued", attempts: 0 });
  expect(network.asked).toHaveLength(1);
});

test("EmailJS: whoever has no patience, when others wait, is refused at once", async () => {
  pace(THROTTLE_MS);
  const waiting = Array.from({ length: 5 }, (_, index) => send(many, `sink${index}@example.net`));
  await waitUntilSent("sink");
  const options = { publicKey: "public-key", limitRate: { throttle: THROTTLE_MS } };
  const refused = sendTemplate("service", "template", {}, options);
  await expect(refused).rejects.toMatchObject({ status: 429, text: "Too Many Requests" });
  await Promise.all(waiting);
});
