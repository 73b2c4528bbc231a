import { sendMail } from "@app/server/features/mail/mail.service";
import { configure, settings } from "@app/server/core/settings";
import { emailConnectionOf } from "@app/server/features/users/email-connection.service";
import mongoose from "mongoose";
import { HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aPayload, connectProvider, EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll } from "../support/mail/mail-for-tests.ts";

let userId: string;
const network = aMailNetworkForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", ...EMAILJS_SETTINGS }));
const practice = forEachTest(() => aPractice(app));
beforeEach(() => {
  userId = practice.ownerId;
});
settingsOfEachTest();

const UNREACHABLE = "The mail server could not be reached. Check its name and port, or try again later.";

/** A mailbox whose servers do not answer. */
const connectDeadMailbox = async () => {
  const port = await freePort();
  await connectMailbox(userId, { email: "ines@practice.example.org", smtpPort: port, imapPort: port });
};
const CONNECTED = { connected: true, active: true, serviceType: "IMAP", email: "i@example.org" };
const setConnection = (change: object) =>
  mongoose.connection
    .collection<{ _id: string }>("users")
    .updateOne({ _id: userId }, { $set: { emailConnection: { ...CONNECTED, ...change } } });
const refuseEmailJs = () => {
  network.answers.emailJs = () => new HttpResponse("The user_id parameter is required", { status: 400 });
};
const refuseAurinko = () => {
  network.answers.aurinko = () =>
    HttpResponse.json({ code: "unauthorized", message: "Not authorized" }, { status: 401 });
};

interface Case {
  name: string;
  given: () => unknown;
  isForced?: boolean;
  expected: object;
  calls: string[];
}

const AURINKO_CALL = "/v1/email/messages";
const EMAILJS_CALL = "/api/v1.0/email/send";

test.each<Case>([
  {
    name: "without a connection by the fallback",
    given: () => undefined,
    expected: { success: true, method: "EmailJS", details: {}, fallbackUsed: false },
    calls: [EMAILJS_CALL],
  },
  {
    name: "by the fallback where the caller forces it, and the mailbox is not asked",
    given: () => connectProvider(userId, "ines@gmail.example.org"),
    isForced: true,
    expected: { success: true, method: "EmailJS", details: {}, fallbackUsed: false },
    calls: [EMAILJS_CALL],
  },
  {
    name: "by the fallback where the connection was switched off",
    given: async () => {
      await connectProvider(userId, "ines@gmail.example.org");
      await setConnection({ serviceType: "Google", active: false });
    },
    expected: { success: true, method: "EmailJS", details: {}, fallbackUsed: false },
    calls: [EMAILJS_CALL],
  },
  {
    name: "by the fallback where it is not connected any more",
    given: () => setConnection({ connected: false }),
    expected: { success: true, method: "EmailJS", details: {}, fallbackUsed: false },
    calls: [EMAILJS_CALL],
  },
  {
    name: "by the other provider where that is connected",
    given: () => connectProvider(userId, "ines@gmail.example.org"),
    expected: { success: true, method: "Aurinko", details: { messageId: "<a1@aurinko>" }, fallbackUsed: false },
    calls: [AURINKO_CALL],
  },
  {
    name: "by the fallback where the other provider refuses, and says so",
    given: async () => {
      await connectProvider(userId, "ines@gmail.example.org");
      refuseAurinko();
    },
    expected: {
      success: true,
      method: "EmailJS",
      details: { warnings: ["Failed to send email with Aurinko: Not authorized"] },
      fallbackUsed: true,
    },
    calls: [AURINKO_CALL, EMAILJS_CALL],
  },
  {
    name: "by the fallback where the mailbox does not answer",
    given: connectDeadMailbox,
    expected: {
      success: true,
      method: "EmailJS",
      details: { warnings: [`The mailbox did not take the mail: ${UNREACHABLE}`] },
      fallbackUsed: true,
    },
    calls: [EMAILJS_CALL],
  },
  {
    name: "not at all where the mailbox has no credentials and the fallback refuses",
    given: async () => {
      await setConnection({});
      refuseEmailJs();
    },
    expected: {
      success: false,
      method: "fallback",
      error: "IMAP failed: IMAP credentials not found EmailJS fallback also failed: The user_id parameter is required",
      details: {},
      fallbackUsed: true,
    },
    calls: [EMAILJS_CALL],
  },
  {
    name: "not at all where the provider has no token and the fallback refuses",
    given: async () => {
      await setConnection({ serviceType: "Office365" });
      refuseEmailJs();
    },
    expected: {
      success: false,
      method: "fallback",
      error: "Aurinko failed: Email token not found EmailJS fallback also failed: The user_id parameter is required",
      details: {},
      fallbackUsed: true,
    },
    calls: [EMAILJS_CALL],
  },
  {
    name: "not at all where both refuse",
    given: async () => {
      await connectProvider(userId, "ines@gmail.example.org");
      refuseAurinko();
      refuseEmailJs();
    },
    expected: {
      success: false,
      method: "fallback",
      error: "Aurinko failed: Not authorized EmailJS fallback also failed: The user_id parameter is required",
      details: {},
      fallbackUsed: true,
    },
    calls: [AURINKO_CALL, EMAILJS_CALL],
  },
  {
    name: "not at all where the only way there is refuses",
    given: refuseEmailJs,
    expected: {
      success: false,
      method: "EmailJS",
      error: "The user_id parameter is required",
      details: {},
      fallbackUsed: false,
    },
    calls: [EMAILJS_CALL],
  },
  {
    name: "nowhere else where the other provider broke off and may have taken it",
    given: async () => {
      await connectProvider(userId, "ines@gmail.example.org");
      network.answers.aurinko = () => HttpResponse.error();
    },
    expected: {
      success: false,
      method: "Aurinko",
      error: "Failed to send email with Aurinko",
      details: { isUncertain: true, isTemporary: true, isUnanswered: true },
      fallbackUsed: false,
    },
    calls: [AURINKO_CALL],
  },
])("sendMail: goes $name", async ({ given, isForced = false, expected, calls }) => {
  await given();
  expect(await sendMail({ userId, payload: aPayload(), isFallbackForced: isForced })).toEqual(expected);
  expect(network.asked.map(({ url }) => new URL(url).pathname)).toEqual(calls);
});

test("sendMail by the other provider: threads, other headers and a calendar entry go along, and what it could not finish is told", async () => {
  await connectProvider(userId, "ines@gmail.example.org");
  network.answers.aurinko = () =>
    HttpResponse.json(
      { status: "Ok", processingStatus: "Incomplete", processingError: { errorMessage: "no copy in Sent" } },
      { status: 201 },
    );
  const result = await sendMail({
    userId,
    payload: aPayload({ to_email: "priya@example.org, owen@example.org" }),
    messageId: "<one@example.org>",
    headers: { "In-Reply-To": "<zero@example.org>", References: "<zero@example.org>", "List-Unsubscribe": "<x>" },
    calendar: { method: "CANCEL", content: "BEGIN:VCALENDAR" },
  });
  expect(result).toMatchObject({
    success: true,
    details: { warnings: ["The mail was sent, but the provider did not finish with it: no copy in Sent."] },
  });
  expect(JSON.parse(network.asked[0]?.text ?? "")).toMatchObject({
    to: [{ address: "priya@example.org" }, { address: "owen@example.org" }],
    inReplyTo: "<zero@example.org>",
    references: "<zero@example.org>",
    xHeaders: [{ name: "List-Unsubscribe", value: "<x>" }],
    attachments: [{ name: "invite.ics", mimeType: "text/calendar; method=CANCEL" }],
  });
});

test("sendMail: without EmailJS the installation's own server is the fallback, and errors name it", async () => {
  const port = await freePort();
  configure({ ...settings(), EMAILJS_PUBLIC_KEY: "", SYSTEM_SMTP_URL: `smtp://127.0.0.1:${port}` });
  await connectDeadMailbox();
  expect(await sendMail({ userId, payload: aPayload() })).toEqual({
    success: false,
    method: "fallback",
    error: `IMAP failed: ${UNREACHABLE} 127.0.0.1 fallback also failed: ${UNREACHABLE}`,
    details: { isTemporary: true, isUnanswered: true },
    fallbackUsed: true,
  });
});

test("sendMail: with nothing set up it names what is missing", async () => {
  configure({ ...settings(), EMAILJS_PUBLIC_KEY: "" });
  expect(await sendMail({ userId, payload: aPayload() })).toMatchObject({
    success: false,
    method: "EmailJS",
    error: "The public key is required. Visit https://dashboard.emailjs.com/admin/account",
  });
  expect(network.asked).toEqual([]);
});

test.each(["token.dead", "token.refresh.failed"])(
  "sendMail: where the provider says %s, the connection is switched off until the person connects again",
  async (code) => {
    await connectProvider(userId, "ines@gmail.example.org");
    network.answers.aurinko = () => HttpResponse.json({ code, message: "Not authorized" }, { status: 401 });
    expect(await sendMail({ userId, payload: aPayload() })).toMatchObject({ method: "EmailJS", fallbackUsed: true });
    expect(await emailConnectionOf(userId)).toMatchObject({ connected: true, active: false });
  },
);

test.each<[string, object, { field: string; says: string }]>([
  ["no recipient", { to_email: " , " }, { field: "to_email", says: "Add the address" }],
  ["a word", { to_email: "priya@example.org, Owen" }, { field: "to_email", says: "“Owen” is no email address" }],
  ["a second recipient in quotes", { to_email: '"a@evil.test x"@ok.test' }, { field: "to_email", says: "no email" }],
  ["a line break", { to_email: "a@example.org\r\nBcc: b@example.org" }, { field: "to_email", says: "one line" }],
  ["a line separator", { cc: "a@example.org\u2028" }, { field: "cc", says: "one line" }],
  ["NUL", { cc: "a@example.org\0" }, { field: "cc", says: "one line" }],
  ["too many", { cc: Array.from({ length: 101 }, (_, n) => `a${n}@example.org`).join() }, { field: "cc", says: "100" }],
  ["what is no base64", { filename: "a.pdf", content: "<>" }, { field: "content", says: "a.pdf could not be read" }],
])("sendMail: %s is refused by name before anything is sent", async (_what, change, { field, says }) => {
  const payload = { ...aPayload(), ...change };
  await expect(sendMail({ userId, payload })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining(says),
    cause: { field },
  });
  expect(network.asked).toEqual([]);
});

test.each(["Subject\r\nBcc: v@example.org", "a\u2028b", "a\0b"])(
  "sendMail: the subject %j is refused",
  async (subject) => {
    await expect(sendMail({ userId, payload: { ...aPayload(), subject } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(sendMail({ userId, payload: aPayload(), headers: { References: subject } })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  },
);
