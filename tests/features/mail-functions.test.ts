import { configure, settings } from "@app/server/core/settings";
import { sendMail } from "@app/server/features/mail/mail.service";
import { HttpResponse } from "msw";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aPayload, connectProvider, EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aPractice, aStaffUser, aVisitor, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll, anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const network = aMailNetworkForAll();
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", ...EMAILJS_SETTINGS }));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));

const INES = "ines@practice.example.org";

/** As the specification has the message of a call. */
const aMessage = (overrides: object = {}) => ({
  from: { name: "Quillfeather", address: INES },
  to: [{ address: "priya@example.org" }],
  cc: [{ address: "tom@example.org" }],
  subject: "Your appointment",
  body: "<p>Dear Priya</p>",
  attachments: [{ mimeType: "application/pdf", name: "letter.pdf", content: "UERG", contentEncoding: "base64" }],
  ...overrides,
});

async function callFunction(name: string, payload: unknown, person: TestPerson = practice) {
  const response = await fetch(`${app.url}/functions/${name}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

const connectOwner = async () =>
  connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: await freePort() });

describe("the calls of the gateway", () => {
  test("imap-send: the payload of the specification leaves by the mailbox, HTML with a text beside it", async () => {
    await connectOwner();
    const { status, body } = await callFunction("imap-send", { userId: practice.ownerId, message: aMessage() });
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true, messageId: expect.any(String) } });
    const mail = smtp.received.at(-1);
    expect(mail?.to).toEqual(["priya@example.org", "tom@example.org"]);
    expect(await PostalMime.parse(mail?.source ?? "")).toMatchObject({
      from: { name: "Quillfeather", address: INES },
      subject: "Your appointment",
      html: expect.stringContaining("<p>Dear Priya</p>"),
      text: expect.stringContaining("Dear Priya"),
      attachments: [{ filename: "letter.pdf", mimeType: "application/pdf" }],
    });
  });

  test("imap-send: what is no HTML stays as it was written", async () => {
    await connectOwner();
    const message = aMessage({ body: "If a < b and c > d, say so." });
    await callFunction("imap-send", { userId: practice.ownerId, message });
    const mail = await PostalMime.parse(smtp.received.at(-1)?.source ?? "");
    expect(mail.html).toBeUndefined();
    expect(mail.text).toContain("If a < b and c > d, say so.");
  });

  test("provider-send: goes to the provider as its own payload has it", async () => {
    await connectProvider(practice.ownerId, INES);
    const message = { ...aMessage(), name: "Ines" };
    const { status, body } = await callFunction("provider-send", { userId: practice.ownerId, message });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, messageId: "<a1@aurinko>" } });
    const [asked] = network.asked;
    expect(asked?.url).toBe("https://api.aurinko.io/v1/email/messages?bodyType=html&returnIds=true");
    expect(asked?.headers.get("authorization")).toBe("Bearer aurinko-token");
    expect(JSON.parse(asked?.text ?? "")).toEqual({
      from: { name: "Quillfeather", address: INES },
      subject: "Your appointment",
      body: "<p>Dear Priya</p>",
      to: [{ name: "", address: "priya@example.org" }],
      cc: [{ name: "", address: "tom@example.org" }],
      xHeaders: [],
      attachments: [{ name: "letter.pdf", mimeType: "application/pdf", content: "UERG", inline: false }],
    });
  });

  test("provider-send: an error is told in the field that the specification names", async () => {
    await connectProvider(practice.ownerId, INES);
    network.answers.aurinko = () => HttpResponse.json({ message: "Mailbox is full" }, { status: 400 });
    const message = { ...aMessage(), name: "Ines" };
    expect(await callFunction("provider-send", { userId: practice.ownerId, message })).toMatchObject({
      status: 502,
      body: { message: "Mailbox is full" },
    });
  });

  test.each(["imap-send", "imap-fetch", "provider-send"])(
    "%s: without a mailbox it says what is missing",
    async (name) => {
      const payload = { userId: practice.ownerId, ...(name === "imap-fetch" ? {} : { message: aMessage() }) };
      const { status, body } = await callFunction(name, payload);
      const field = name === "provider-send" ? "message" : "error";
      const says = name === "provider-send" ? "Email token not found" : "IMAP credentials not found";
      expect({ status, body }).toMatchObject({ status: 404, body: { [field]: says } });
    },
  );

  test.each<[string, unknown, string]>([
    ["a recipient list that is empty", { message: aMessage({ to: [] }) }, "message.to: "],
    ["no recipient list", { message: aMessage({ to: undefined }) }, "message.to: "],
    ["a list that is text", { message: aMessage({ to: "priya@example.org" }) }, "message.to: "],
    [
      "what is no address",
      { message: aMessage({ to: [{ address: "a@b.org\r\nBcc: v@x.org" }] }) },
      "message.to.0.address: ",
    ],
    ["two addresses in one", { message: aMessage({ cc: [{ address: "a@b.org,c@d.org" }] }) }, "message.cc.0.address: "],
    [
      "another's address as sender",
      { message: aMessage({ from: { address: "boss@bank.example.org" } }) },
      "message.from.address: ",
    ],
    ["a subject of two lines", { message: aMessage({ subject: "Hello\r\nBcc: v@x.org" }) }, "Write this in one line."],
    ["a field nobody knows", { message: aMessage(), bcc: "v@x.org" }, "Unrecognized key"],
    ["no message", {}, "message: "],
    ["a user id that is an operator", { userId: { $ne: null }, message: aMessage() }, "userId: "],
  ])("imap-send: %s is refused by name, and nothing leaves", async (_what, payload, says) => {
    await connectOwner();
    const count = smtp.received.length;
    const { status, body } = await callFunction("imap-send", { userId: practice.ownerId, ...Object(payload) });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: expect.stringContaining(says) } });
    expect(smtp.received).toHaveLength(count);
  });

  test.each(["{", "[]", "null", '"text"'])("imap-send: the body %j is refused", async (text) => {
    expect((await callFunction("imap-send", text)).status).toBe(400);
  });

  test("who may call: nobody unknown, nobody without the permission, nobody for another practice", async () => {
    const payload = { userId: practice.ownerId, message: aMessage() };
    expect((await callFunction("imap-send", payload, aVisitor(app))).status).toBe(401);
    // Without a way to send mail the invitations come back as links.
    configure({ ...settings(), EMAILJS_PUBLIC_KEY: "" });
    const reader = await aStaffUser(app, practice, { permissions: ["mail.read"] });
    expect((await callFunction("imap-send", payload, reader)).status).toBe(403);
    const stranger = await aPractice(app);
    expect(await callFunction("imap-send", payload, stranger)).toMatchObject({
      status: 403,
      body: { error: "userId: this person's mailbox is not yours to use." },
    });
    const assigned = await aStaffUser(app, practice, { permissions: ["mail.read", "mail.send", "assigned_only"] });
    expect((await callFunction("imap-fetch", { userId: practice.ownerId }, assigned)).status).toBe(403);
  });

  test("what is too large is refused before it is read", async () => {
    const { status } = await callFunction("imap-fetch", { userId: practice.ownerId, folder: "x".repeat(1_100_000) });
    expect(status).toBe(413);
  });
});

describe.skipIf(whyNoDovecot)("a mailbox with folders", () => {
  const dovecot = forAllTests(startDovecot);
  beforeEach(() =>
    connectMailbox(practice.ownerId, {
      email: INES,
      smtpPort: smtp.port,
      imapPort: dovecot.port,
      ca: dovecot.ca,
    }),
  );

  test("imap-fetch: gives what imap-send put into Sent, and says in words that a folder is not there", async () => {
    const { ownerId: userId } = practice;
    // The largest that a mail may carry: 25 MB.
    const content = Buffer.alloc(25_000_000, "a").toString("base64");
    const message = aMessage({ attachments: [{ mimeType: "application/pdf", name: "large.pdf", content }] });
    expect((await callFunction("imap-send", { userId, message })).status).toBe(200);
    const { status, body } = await callFunction("imap-fetch", { userId, folder: "Sent" });
    expect({ status, body }).toMatchObject({ status: 200, body: { emails: [{ subject: "Your appointment" }] } });
    expect(await callFunction("imap-fetch", { userId })).toMatchObject({ status: 200, body: { emails: [] } });
    expect(await callFunction("imap-fetch", { userId, folder: "Nowhere" })).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining("Nowhere") },
    });
  });
});

describe("a gateway kept elsewhere", () => {
  const useGateway = (url = "https://gateway.example.org", token?: string) =>
    configure({ ...settings(), MAIL_FUNCTIONS_URL: url, MAIL_FUNCTIONS_TOKEN: token });
  const send = () =>
    sendMail({
      userId: practice.ownerId,
      fromName: "Quillfeather",
      payload: aPayload({ cc: "tom@example.org", filename: "letter.pdf", content: "data:application/pdf;base64,UERG" }),
    });

  test.each(["https://gateway.example.org", "https://gateway.example.org/functions/", "https://gateway.example.org/"])(
    "is called with exactly the payload of the specification at %s",
    async (url) => {
      await connectOwner();
      useGateway(url, "gateway-token");
      network.answers.gateway = () => HttpResponse.json({ success: true, messageId: "<g1@gateway>" });
      expect(await send()).toEqual({
        success: true,
        method: "IMAP",
        details: { messageId: "<g1@gateway>" },
        fallbackUsed: false,
      });
      const [asked] = network.asked;
      expect(asked?.url).toBe("https://gateway.example.org/functions/imap-send");
      expect(asked?.headers.get("authorization")).toBe("Bearer gateway-token");
      expect(JSON.parse(asked?.text ?? "")).toEqual({
        userId: practice.ownerId,
        message: {
          from: { name: "Quillfeather", address: INES },
          to: [{ name: "Priya Nandakumar", address: "priya@example.org" }],
          cc: [{ name: "", address: "tom@example.org" }],
          subject: "Your appointment",
          body: "Dear Priya, we meet on Monday.",
          attachments: [
            { mimeType: "application/pdf", name: "letter.pdf", content: "UERG", contentEncoding: "base64" },
          ],
        },
      });
    },
  );

  test("is called for the other provider with the name in the message", async () => {
    await connectProvider(practice.ownerId, INES);
    useGateway();
    await send();
    const [asked] = network.asked;
    expect(asked?.url).toBe("https://gateway.example.org/functions/provider-send");
    expect(asked?.headers.get("authorization")).toBeNull();
    expect(JSON.parse(asked?.text ?? "")).toMatchObject({
      message: { name: "Quillfeather", subject: "Your appointment" },
    });
  });

  test.each<[string, () => Promise<void>, () => Response, string]>([
    ["the error field", connectOwner, () => HttpResponse.json({ error: "No login" }, { status: 500 }), "No login"],
    ["no JSON", connectOwner, () => new HttpResponse("Bad gateway", { status: 502 }), "HTTP 502: Bad gateway"],
    ["nothing at all", connectOwner, () => new HttpResponse(null, { status: 500 }), "HTTP 500: "],
    ["no field", connectOwner, () => HttpResponse.json({ message: "x" }, { status: 400 }), 'HTTP 400: {"message":"x"}'],
    ["a failure with status 200", connectOwner, () => HttpResponse.json({ success: false, error: "No" }), "No"],
    [
      "the message field of the provider",
      () => connectProvider(practice.ownerId, INES),
      () => HttpResponse.json({ message: "Not authorized" }, { status: 401 }),
      "Not authorized",
    ],
  ])("that fails with %s is told so, and the fallback carries the mail", async (_what, connect, answer, says) => {
    await connect();
    useGateway();
    network.answers.gateway = answer;
    const { method, fallbackUsed, details } = await send();
    expect({ method, fallbackUsed }).toEqual({ method: "EmailJS", fallbackUsed: true });
    expect(details?.warnings?.[0]?.endsWith(`: ${says}`)).toBe(true);
  });

  test("that waited in vain for the next one may have sent it: nothing else is tried", async () => {
    await connectOwner();
    useGateway();
    network.answers.gateway = () => new HttpResponse("Gateway Timeout", { status: 504 });
    expect(await send()).toMatchObject({ success: false, method: "IMAP", details: { isUncertain: true } });
    expect(network.asked).toHaveLength(1);
  });

  test("is not called where the person has no mailbox", async () => {
    useGateway();
    const { method } = await send();
    expect(method).toBe("EmailJS");
    expect(network.asked.map(({ url }) => new URL(url).host)).toEqual(["api.emailjs.com"]);
  });
});

describe("send-form", () => {
  const sendForm = async (body: FormData | string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}/functions/send-form`, {
      method: "POST",
      headers: { origin: app.url, cookie: practice.cookies(), ...headers },
      body,
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer };
  };
  const aForm = (fields: Record<string, string> = { to_email: "priya@example.org", message: "Hello" }) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("letter", new File(["PDF"], "letter.pdf", { type: "application/pdf" }));
    return form;
  };

  test("is relayed with the names of the service, and nothing that the form says of them counts", async () => {
    const form = aForm({ to_email: "priya@example.org", service_id: "another", user_id: "another" });
    expect(await sendForm(form)).toEqual({ status: 200, body: { success: true } });
    const [asked] = network.asked;
    expect(asked?.url).toBe("https://api.emailjs.com/api/v1.0/email/send-form");
    const headers = { "content-type": asked?.headers.get("content-type") ?? "" };
    const sent = await new Response(asked?.text, { headers }).formData();
    expect([sent.getAll("service_id"), sent.getAll("user_id")]).toEqual([["service_office"], ["public-key"]]);
    expect(sent.get("template_id")).toBe("template_plain");
    expect(sent.get("letter")).toBeInstanceOf(File);
  });

  test.each<[string, number, () => ReturnType<typeof sendForm>]>([
    ["what is no form", 415, () => sendForm("{}", { "content-type": "application/json" })],
    ["a body that is no form data", 400, () => sendForm("x", { "content-type": "multipart/form-data; boundary=b" })],
    ["a recipient that is none", 400, () => sendForm(aForm({ to_email: "Priya" }))],
    ["a page driven by a program", 451, () => sendForm(aForm(), { "x-webdriver": "true" })],
    ["a headless browser", 451, () => sendForm(aForm(), { "user-agent": "Mozilla/5.0 HeadlessChrome/140" })],
    ["another site", 403, () => sendForm(aForm(), { origin: "https://evil.example" })],
  ])("%s is refused with %i, and nothing is posted", async (_what, status, attempt) => {
    expect((await attempt()).status).toBe(status);
    expect(network.asked).toEqual([]);
  });

  test("a headless browser is let through where the installation says so", async () => {
    configure({ ...settings(), EMAILJS_BLOCK_HEADLESS: false });
    expect((await sendForm(aForm(), { "x-webdriver": "true" })).status).toBe(200);
  });

  test.each([
    [403, "Forbidden"],
    [429, "Too Many Requests"],
  ])("status %i of the service is passed on in its words", async (status, text) => {
    network.answers.emailJs = () => new HttpResponse(text, { status });
    expect(await sendForm(aForm())).toMatchObject({ status, body: { error: text } });
  });
});
