// Files that come in JSON, in the ways in which programs write them: read piece by piece, and the same at the other end.
import { randomBytes } from "node:crypto";
import { newId } from "@app/server/core/ids";
import PostalMime from "postal-mime";
import { beforeEach, expect, test } from "vitest";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { freePort } from "../support/server/free-port.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { send } from "../support/server/raw-http.ts";
import { startTestApp } from "../support/server/test-app.ts";

const MB = 1024 * 1024;
const INES = "ines@practice.example.org";
const FILE = randomBytes(2 * MB + 2);
const BASE64 = FILE.toString("base64");

let practice: TestPractice;
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
beforeEach(async () => {
  practice = await aPractice(app);
  await connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: await freePort() });
});

interface Sent {
  /** As it stands between quotation marks in JSON. */
  content: string;
  body?: string;
  key?: string;
}

function sendMail({ content, body = "Hello", key }: Sent) {
  const message = {
    from: { name: "Ines", address: INES },
    to: [{ address: "zoe@example.net" }],
    cc: [],
    subject: "Your papers",
    body,
    attachments: [{ mimeType: "application/pdf", name: "papers.pdf", content: "HERE" }],
  };
  return send(`${app.url}/functions/imap-send`, {
    method: "POST",
    headers: {
      origin: app.url,
      cookie: practice.cookies(),
      "content-type": "application/json",
      ...(key ? { "idempotency-key": key } : {}),
    },
    body: JSON.stringify({ userId: practice.ownerId, message }).replace("HERE", () => content),
  });
}

const received = async () => PostalMime.parse(smtp.received.at(-1)?.source ?? "");

const contentOf = (file: Awaited<ReturnType<typeof received>>["attachments"][number] | undefined) =>
  file?.content instanceof ArrayBuffer ? Buffer.from(file.content) : Buffer.from(file?.content ?? "");

test.each([
  ["as it is", BASE64],
  ["with each slash escaped", BASE64.replaceAll("/", String.raw`\/`)],
  ["with letters escaped", BASE64.replaceAll("+", String.raw`\u002b`)],
  ["in lines", BASE64.replaceAll(/.{76}/g, String.raw`$&\r\n`)],
  ["behind the start of a data URL", `data:application/pdf;base64,${BASE64}`],
])(
  "imap-send: a file of some megabytes, when its base64 is written %s, then it arrives as it was",
  async (_how, content) => {
    const { status, text } = await sendMail({ content });
    expect(text).toContain("messageId");
    expect(status).toBe(200);
    const [file] = (await received()).attachments;
    expect(contentOf(file).equals(FILE)).toBe(true);
  },
);

test.each([
  ["another sign in its midst", BASE64.replace(/.{1000000}/, "$&~")],
  ["an end in its midst", `${BASE64}${BASE64}`],
  ["one sign too many", `${BASE64.replaceAll("=", "")}AAA`],
  ["an escape that is none", BASE64.replace(/.{1000000}/, String.raw`$&\q`)],
  ["nothing but backslashes", "\\\\".repeat(MB)],
])("imap-send: a file of some megabytes, when it has %s, then it is refused in words", async (_what, content) => {
  const { status, text } = await sendMail({ content });
  expect(status).toBe(400);
  expect(text).toMatch(/could not be read|is not JSON/);
});

test("imap-send: a long letter, when it is longer than files are read apart, then it arrives whole", async () => {
  const body = `Dear Zoe\n${"é “all” of it \\ ".repeat(20_000)}`;
  expect((await sendMail({ content: "eA==", body })).status).toBe(200);
  expect((await received()).text?.replaceAll("\r\n", "\n").trim()).toBe(body.trim());
});

test("imap-send: a letter of many megabytes, then it is refused for its size", async () => {
  expect((await sendMail({ content: "eA==", body: "a".repeat(5 * MB) })).status).toBe(413);
});

test("S76 imap-send: a large file, when it comes again under its key with one letter changed, then that is refused", async () => {
  const key = newId();
  const first = await sendMail({ content: BASE64, key });
  expect(first.status).toBe(200);
  expect(await sendMail({ content: BASE64, key })).toMatchObject({ status: 200, text: first.text });
  const changed = BASE64.replace(
    /^(.{1500000})(.)/,
    (_all, before: string, one: string) => before + (one === "A" ? "B" : "A"),
  );
  expect((await sendMail({ content: changed, key })).status).toBe(409);
});
