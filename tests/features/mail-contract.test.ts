// What the contract of the mail functions leaves open, and what goes along when a gateway is kept elsewhere.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { closeConnections } from "@app/server/features/inbox/connections";
import { sendMail } from "@app/server/features/mail/mail.service";
import { queueSystemMail } from "@app/server/features/mail/system-mail-delivery.service";
import { reportError } from "@app/server/features/support/support.service";
import { imapFetchSchema } from "@app/shared/mail-payload";
import { richTextOf } from "@app/shared/rich-text";
import hoodiecrow from "hoodiecrow-imap";
import { HttpResponse } from "msw";
import mongoose from "mongoose";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { aPayload, EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll } from "../support/mail/mail-for-tests.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";

const log = createLogger("silent");
const ICS = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n";

const network = aMailNetworkForAll();
const { smtp, app, practice } = aSendingPractice();
const putSettingsBack = settingsOfEachTest();

const aMessage = (overrides: object = {}) => ({
  from: { name: "Quillfeather", address: INES },
  to: [{ address: "priya@example.org" }],
  subject: "Your appointment",
  body: "Dear Priya",
  attachments: [],
  ...overrides,
});

const post = (name: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/functions/${name}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json", ...headers },
    body,
  });
const imapSend = (message: object) => post("imap-send", JSON.stringify({ userId: practice.ownerId, message }));

describe("a refused call", () => {
  const breakMailbox = () =>
    mongoose.connection
      .collection<{ _id: string }>("email_credentials")
      .updateOne({ _id: practice.ownerId }, { $set: { "smtp.secret_enc": "spoilt" } });

  test.each<[string, number, (name: string) => Promise<Response>]>([
    ["another content type", 415, (name) => post(name, "x", { "content-type": "text/plain" })],
    ["another site's origin", 403, (name) => post(name, "{}", { origin: "https://evil.example" })],
    ["no JSON", 400, (name) => post(name, "{")],
    ["nobody signed in", 401, (name) => post(name, "{}", { cookie: "" })],
    ["an unknown function below it", 404, (name) => post(`${name}/more`, "{}")],
  ])("%s: when it is refused with %i, then it says so as text in its field", async (_what, status, call) => {
    for (const [name, field] of [
      ["imap-send", "error"],
      ["provider-send", "message"],
    ] as const) {
      const answer = await call(name);
      const body: unknown = await answer.json();
      expect({ status: answer.status, body }).toMatchObject({ status, body: { [field]: expect.stringMatching(/\w/) } });
    }
  });

  test("a failure of ours: when nobody foresaw it, then it is text too, with the code for support", async () => {
    await breakMailbox();
    const answer = await imapSend(aMessage());
    const body: unknown = await answer.json();
    expect({ status: answer.status, body }).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/code/) },
    });
  });
});

describe("a message", () => {
  test.each<[string, unknown, string[]]>([
    ["null", null, []],
    ["missing", undefined, []],
    ["text", "tom@example.org, una@example.org,", ["tom@example.org", "una@example.org"]],
    ["a list", [{ address: "tom@example.org" }], ["tom@example.org"]],
  ])("imap-send: when cc is %s, then it leaves to whoever that names", async (_what, cc, copies) => {
    expect((await imapSend(aMessage({ cc }))).status).toBe(200);
    expect(smtp.received.map(({ to }) => to)).toEqual([["priya@example.org", ...copies]]);
  });

  test.each([
    ["UERG", 200],
    ["UERGCg==", 200],
    ["UERGCg", 200],
    ["UERGC", 400],
    ["UERGCg=", 400],
    ["UERG=", 400],
    ["UE RG", 200],
  ])("imap-send: when base64 is %j, then it is answered with %i", async (content, status) => {
    const attachments = [{ mimeType: "application/pdf", name: "letter.pdf", content }];
    expect((await imapSend(aMessage({ attachments }))).status).toBe(status);
  });

  test("imap-fetch: when folder, limit and offset are null, then they are what they are where they are missing", () => {
    const userId = newId();
    expect(imapFetchSchema.parse({ userId, folder: null, limit: null, offset: null })).toEqual(
      imapFetchSchema.parse({ userId }),
    );
  });
});

describe("a gateway kept elsewhere", () => {
  beforeEach(() => {
    configure({ ...settings(), MAIL_FUNCTIONS_URL: "https://gateway.example.org" });
    network.answers.gateway = () => HttpResponse.json({ success: true });
  });

  test("an invitation that answers: when it leaves by a gateway of ours, then it arrives as one", async () => {
    // Whose message it answers is looked up in the mailbox.
    const inbox = hoodiecrow({ plugins: ["ID", "NAMESPACE"], users: { [INES]: { password: "secret" } } });
    const port = await freePort();
    await new Promise<void>((resolve) => inbox.listen(port, resolve));
    onTestFinished(async () => {
      closeConnections();
      await new Promise<void>((resolve) => inbox.close(() => resolve()));
    });
    await mongoose.connection
      .collection<{ _id: string }>("email_credentials")
      .updateOne({ _id: practice.ownerId }, { $set: { "imap.port": port } });
    await sendMail({
      userId: practice.ownerId,
      payload: aPayload(),
      calendar: { method: "REQUEST", content: ICS },
      headers: { "In-Reply-To": "<q@example.org>", References: "<p@example.org> <q@example.org>" },
    });
    const [asked] = network.asked;
    putSettingsBack();
    expect((await post("imap-send", asked?.text ?? "")).status).toBe(200);
    const mail = await PostalMime.parse(smtp.received[0]?.source ?? "", { attachmentEncoding: "utf8" });
    expect(mail).toMatchObject({ inReplyTo: "<q@example.org>", references: "<p@example.org> <q@example.org>" });
    expect(mail.attachments.map(({ mimeType, method }) => `${mimeType} ${method}`)).toContain("text/calendar REQUEST");
    const texts = mail.attachments.map(({ content }) => (typeof content === "string" ? content : ""));
    expect(new Set(texts.map((text) => text.replace(/\r?\n/g, "\r\n")))).toEqual(new Set([ICS]));
  });

  test("a header of its own: when it is no line of the contract, then the call is refused", async () => {
    putSettingsBack();
    for (const headers of [{ Bcc: "v@x.org" }, { "In-Reply-To": "words" }])
      expect((await imapSend(aMessage({ headers }))).status).toBe(400);
  });

  test("a mailing: when there is a gateway, then it leaves by it, and can be stopped by one click", async () => {
    const source = { kind: "csv" as const, csv: "value,label\npriya@example.org,Priya Shah\n" };
    const mailing = { id: newId(), subject: "We move", body: richTextOf("We move."), perMinute: 0, source };
    const { id } = await practice.api.mailings.create.mutate(mailing);
    await practice.api.mailings.start.mutate({ changeId: newId(), id });
    await vi.waitFor(() => expect(network.asked).toHaveLength(1), { timeout: 10_000 });
    expect(JSON.parse(network.asked[0]?.text ?? "")).toMatchObject({
      message: { headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } },
    });
    expect(smtp.received).toEqual([]);
  });
});

describe("mail of the product itself", () => {
  const params = () => JSON.parse(network.asked.at(-1)?.text ?? "{}").template_params;
  const useEmailJs = () => configure({ ...settings(), ...EMAILJS_SETTINGS, EMAILJS_THROTTLE_MS: 0 });
  const mail = () => ({ ownerId: null, to: `${newId()}@example.org`, subject: "Hello", text: "x", hasLink: false });
  const stored = (to: string) => mongoose.connection.collection("system_mails").findOne({ to });

  test("when nobody set an address for it, then it still says whom it is from, and its id is of this host", async () => {
    useEmailJs();
    configure({ ...settings(), PUBLIC_URL: "https://mediation.example.org" });
    const one = mail();
    await queueSystemMail(one, log);
    await vi.waitFor(() => expect(params()).toBeDefined(), { timeout: 10_000 });
    const address = "evenhand@mediation.example.org";
    expect(params()).toMatchObject({ from_email: address, reply_to: address });
    expect((await stored(one.to))?.["message_id"]).toMatch(/@mediation\.example\.org>$/);
  });

  test("an error: when the practice has a mailbox, then its report leaves by that, and names who had it", async () => {
    useEmailJs();
    configure({ ...settings(), SUPPORT_EMAIL: "support@example.org" });
    const by = { userId: practice.ownerId, ownerId: practice.ownerId, isFromPage: true };
    expect(await reportError({ component: "Calendar", message: `It broke ${newId()}` }, log, by)).toBe(true);
    await vi.waitFor(() => expect(smtp.received).toHaveLength(1), { timeout: 10_000 });
    const report = await PostalMime.parse(smtp.received[0]?.source ?? "");
    expect(report.from?.address).toBe(INES);
    expect(report.subject).toBe(`Error on component [Calendar] from ${practice.email}`);
    expect(report.text).toContain(`Who had it: Ines Marchbank, ${practice.email}`);
    expect(network.asked).toEqual([]);
  });
});
