import { syncBuiltinESMExports } from "node:module";
import { configure, settings } from "@app/server/core/settings";
import { sendMail } from "@app/server/features/mail/mail.service";
import { type EmailJsOptions, sendForm, sendTemplate } from "@app/server/features/mail/senders/emailjs.service";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { HttpResponse } from "msw";
import { expect, test } from "vitest";
import { z } from "zod";
import { EmailJSResponseStatus, send } from "../../server/node_modules/@emailjs/nodejs/mjs/index.js";
import { freePort } from "../support/server/free-port.ts";
import { aPayload, EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll } from "../support/mail/mail-for-tests.ts";

const network = aMailNetworkForAll();
// The package took its request function before the network was played.
syncBuiltinESMExports();

const app = forAllTests(() => startTestApp(EMAILJS_SETTINGS));
const practice = forAllTests(() => aPractice(app));
settingsOfEachTest();

const NAMES = ["service_office", "template_plain"] as const;
const PARAMS = { to_email: "priya@example.org", message: "Grüße, Łódź €" };
const options = (more: Partial<EmailJsOptions> = {}): EmailJsOptions => ({ publicKey: "public-key", ...more });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "was not refused",
    (error: unknown) => error,
  );
/** In words, whether it is the service's own class or an error. */
const told = (error: unknown) =>
  error instanceof EmailJSResponseStatus
    ? `${error.status} ${error.text}`
    : error instanceof Error
      ? error.message
      : String(error);

test("EmailJS: what is posted is, byte for byte, what the service's own package posts, save the version", async () => {
  await send(...NAMES, PARAMS, { publicKey: "public-key" });
  await sendTemplate(...NAMES, PARAMS, options());
  const [theirs, ours] = network.asked;
  expect(ours?.url).toBe(theirs?.url);
  expect(ours?.headers.get("content-type")).toBe(theirs?.headers.get("content-type"));
  expect(ours?.text).toBe(theirs?.text.replace('"5.0.2"', '"4.4.1"'));
});

test("EmailJS: a private key is sent along only where there is one", async () => {
  await send(...NAMES, PARAMS, { publicKey: "public-key", privateKey: "private-key" });
  await sendTemplate(...NAMES, PARAMS, options({ privateKey: "private-key" }));
  await sendTemplate(...NAMES, PARAMS, options());
  const [theirs, ours, without] = network.asked.map(({ text }): unknown => JSON.parse(text));
  expect({ ...Object(ours), lib_version: "" }).toEqual({ ...Object(theirs), lib_version: "" });
  expect(without).not.toHaveProperty("accessToken");
});

const THROTTLE_MS = 60_000;
// What a caller without types could hand over.
const aText: Record<string, unknown> = JSON.parse('"text"');
const aList: Record<string, unknown> = JSON.parse("[1]");

test.each<{ name: string; call: [string, string, Record<string, unknown>, EmailJsOptions] }>([
  { name: "no public key", call: ["", "", PARAMS, options({ publicKey: "" })] },
  { name: "no service", call: ["", "", PARAMS, options()] },
  { name: "no template", call: ["s", "", PARAMS, options()] },
  { name: "params that are text", call: ["s", "t", aText, options()] },
  { name: "params that are a list", call: ["s", "t", aList, options()] },
  {
    name: "a blocked address",
    call: ["s", "t", PARAMS, options({ blockList: { list: [PARAMS.to_email], watchVariable: "to_email" } })],
  },
  { name: "a negative throttle", call: ["s", "t", PARAMS, options({ limitRate: { throttle: -1 } })] },
])("EmailJS: $name is refused in the words of the service's own package, and nothing is posted", async ({ call }) => {
  const [service, template, params, given] = call;
  const { blockList, limitRate } = given;
  const storage = { get: () => Promise.resolve(0), set: () => Promise.resolve(), remove: () => Promise.resolve() };
  const theirs = await failure(
    send(service, template, params, {
      publicKey: given.publicKey,
      ...(blockList ? { blockList } : {}),
      ...(limitRate ? { limitRate, storageProvider: storage } : {}),
    }),
  );
  const ours = await failure(sendTemplate(service, template, params, given));
  expect(told(ours)).toBe(told(theirs));
  expect(network.asked).toEqual([]);
});

test("EmailJS: a page driven by a program is refused before anything else is looked at", async () => {
  const refused = await failure(sendTemplate("", "", PARAMS, { publicKey: "", isHeadless: true }));
  expect(told(refused)).toBe("451 Unavailable For Headless Browser");
});

test("EmailJS: a second call within the throttle is refused with 429, and a caller with patience gets its turn", async () => {
  const given = options({ limitRate: { throttle: 400 } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => failure(sendTemplate(...NAMES, PARAMS, given))));
  expect(answers.map(told).filter((text) => text === "429 Too Many Requests")).toHaveLength(4);
  network.reset();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 3 }, () =>
      sendTemplate(...NAMES, PARAMS, {
        ...given,
        turn: { line: "people", asker: { group: "one", one: "" }, patienceMs: THROTTLE_MS },
      }),
    ),
  );
  expect(network.asked).toHaveLength(3);
  expect(performance.now() - startedAt).toBeGreaterThan(700);
});

test.each([
  [
    "what the service says",
    () => new HttpResponse("The Service ID not found", { status: 404 }),
    "404 The Service ID not found",
  ],
  ["no network", () => HttpResponse.error(), "0 Network Error"],
])("EmailJS: %s is told as it is", async (_what, answer, expected) => {
  network.answers.emailJs = answer;
  expect(told(await failure(sendTemplate(...NAMES, PARAMS, options())))).toBe(expected);
});

test("EmailJS: where nobody listens it is status 0, Network Error", async () => {
  configure({ ...settings(), EMAILJS_HOST: `http://127.0.0.1:${await freePort()}` });
  expect(told(await failure(sendTemplate(...NAMES, PARAMS, options())))).toBe("0 Network Error");
});

test("EmailJS: a form is posted with its fields, its files and the same names", async () => {
  const form = new FormData();
  form.append("to_email", "priya@example.org");
  form.append("letter", new File(["PDF"], "letter.pdf", { type: "application/pdf" }));
  await sendForm(...NAMES, form, options());
  const [asked] = network.asked;
  expect(asked?.url).toBe("https://api.emailjs.com/api/v1.0/email/send-form");
  const sent = await new Response(asked?.text, {
    headers: { "content-type": asked?.headers.get("content-type") ?? "" },
  }).formData();
  expect([...sent.keys()]).toEqual(["to_email", "letter", "lib_version", "service_id", "template_id", "user_id"]);
  expect(sent.get("lib_version")).toBe("4.4.1");
});

const bodyOf = (index = 0): unknown => JSON.parse(network.asked[index]?.text ?? "null");

test("sendMail by EmailJS: the payload has the parameters of the specification, and no others", async () => {
  await sendMail({ userId: practice.ownerId, payload: aPayload({ to_email: "priya@example.org, owen@example.org" }) });
  expect(bodyOf()).toEqual({
    lib_version: "4.4.1",
    user_id: "public-key",
    service_id: "service_office",
    template_id: "template_plain",
    template_params: {
      to_email: "priya@example.org, owen@example.org",
      from_email: practice.email,
      reply_to: practice.email,
      to_name: "Priya Nandakumar",
      from_name: `${practice.practiceName} (${practice.email}) via Evenhand`,
      subject: "Your appointment",
      message: "Dear Priya, we meet on Monday.",
    },
  });
});

test("S68: sendMail by EmailJS, when its reader must be reached discreetly, names no address of the practice, nor has its calendar one", async () => {
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" };
  await practice.api.clients.create.mutate(aClient({ email: "rita@example.org", safeContact }));
  const organizer = `ORGANIZER;CN=Heron:mailto:${practice.email}`;
  const event = ["BEGIN:VEVENT", "UID:1@x", "DTSTART:20310304T090000Z", organizer, "END:VEVENT"];
  const content = ["BEGIN:VCALENDAR", "VERSION:2.0", ...event, "END:VCALENDAR"].join("\r\n");
  const payload = aPayload({ to_email: "rita@example.org" });
  await sendMail({ userId: practice.ownerId, payload, calendar: { method: "REQUEST", content } });
  const address = "evenhand@localhost";
  const said = { from_email: address, reply_to: address, from_name: "Ines Marchbank via shared mail" };
  expect(bodyOf()).toMatchObject({ template_params: said });
  const { template_params } = z.object({ template_params: z.object({ content: z.string() }) }).parse(bodyOf());
  const everything = `${network.asked[0]?.text} ${Buffer.from(template_params.content, "base64").toString()}`;
  expect(everything).toContain("Somebody who uses this mail service wrote this message.");
  expect(everything).not.toContain(practice.email);
  expect(everything).not.toContain(practice.practiceName);
});

test("sendMail by EmailJS: HTML goes by its own template, or by the plain one where there is none", async () => {
  const payload = aPayload({ isHtml: true, message: "<p>Dear Priya</p>" });
  await sendMail({ userId: practice.ownerId, payload });
  configure({ ...settings(), EMAILJS_HTML_TEMPLATE_ID: "" });
  await sendMail({ userId: practice.ownerId, payload });
  expect([bodyOf(0), bodyOf(1)]).toMatchObject([{ template_id: "template_html" }, { template_id: "template_plain" }]);
});

const pdf = (bytes: number) => `data:application/pdf;base64,${Buffer.alloc(bytes, "a").toString("base64")}`;

test("sendMail by EmailJS: one attachment goes, the rest and the copies are named as left out", async () => {
  const result = await sendMail({
    userId: practice.ownerId,
    payload: aPayload({
      cc: "tom@example.org",
      filename: "letter.pdf",
      content: pdf(3),
      additionalAttachments: [{ filename: "plan.docx", content: pdf(3) }],
    }),
  });
  expect(bodyOf()).toMatchObject({ template_params: { filename: "letter.pdf", content: "YWFh" } });
  expect(result).toEqual({
    success: true,
    method: "EmailJS",
    details: {
      warnings: [
        "EmailJS takes one attachment only. Left out: plan.docx.",
        "EmailJS sends no copies. Left out: tom@example.org.",
      ],
    },
    fallbackUsed: false,
  });
});

test.each([
  [
    "an attachment above the limit",
    { filename: "big.pdf", content: pdf(500_001) },
    "big.pdf is larger than the 500 kB",
  ],
  ["a text above 50 kB", { message: "a".repeat(50_000) }, "longer than the 50 kB"],
])("sendMail by EmailJS: %s is refused before the call", async (_what, change, words) => {
  const result = await sendMail({ userId: practice.ownerId, payload: aPayload(change) });
  expect(result).toMatchObject({ success: false, method: "EmailJS", error: expect.stringContaining(words) });
  expect(network.asked).toEqual([]);
});

test("sendMail by EmailJS: where the account is closed to servers, the error says which switch opens it", async () => {
  network.answers.emailJs = () =>
    new HttpResponse("API calls are disabled for non-browser applications", { status: 403 });
  const { error } = await sendMail({ userId: practice.ownerId, payload: aPayload() });
  expect(error).toMatch(/^API calls are disabled for non-browser applications\. Open Account, then Security/);
});

test("sendMail by EmailJS: a blocked address is refused with 403", async () => {
  configure({ ...settings(), EMAILJS_BLOCK_LIST: ["priya@example.org"] });
  expect(await sendMail({ userId: practice.ownerId, payload: aPayload() })).toMatchObject({
    success: false,
    error: "Forbidden",
  });
});
