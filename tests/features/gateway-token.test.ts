import { newId } from "@app/server/core/ids";
import { configure, readSettings, type Settings, settings } from "@app/server/core/settings";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { RAW_ROUTES } from "@app/server/raw-routes";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { doorOf } from "../support/access/access-scenario.ts";
import { NOBODY } from "../support/access/access-target.ts";
import { aCase, clientFields } from "../support/server/people.ts";
import { settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";

const TOKEN = "t0".repeat(20);

const { smtp, app, practice } = aSendingPractice({ MAIL_FUNCTIONS_TOKEN: TOKEN });
settingsOfEachTest();

const aMessage = (to: string, headers = {}) => ({
  from: { name: "Quillfeather", address: INES },
  to: [{ address: to }],
  subject: "Your appointment",
  body: "Dear Priya",
  headers,
});

/** As another installation calls: no page, no cookie, and a token. */
async function send(authorization: string, { to = "priya@example.org", userId = practice.ownerId, headers = {} } = {}) {
  const response = await fetch(`${app.url}/functions/imap-send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ userId, message: aMessage(to, headers) }),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

describe("a call of another installation", () => {
  test("imap-send: when it bears the token, then the mail leaves by the mailbox of the person it names", async () => {
    expect(await send(`Bearer ${TOKEN}`)).toMatchObject({
      status: 200,
      body: { success: true, messageId: expect.any(String) },
    });
    expect(smtp.received.map(({ from, to }) => ({ from, to }))).toEqual([{ from: INES, to: ["priya@example.org"] }]);
  });

  test.each<[string, string]>([
    ["another token", `Bearer ${TOKEN.slice(0, -1)}x`],
    ["a part of the token", `Bearer ${TOKEN.slice(0, -1)}`],
    ["more than the token", `Bearer ${TOKEN}x`],
    ["no token", "Bearer "],
    ["another scheme", `Basic ${TOKEN}`],
  ])("imap-send: when it bears %s, then it is refused in words and nothing leaves", async (_what, authorization) => {
    expect(await send(authorization)).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining("MAIL_FUNCTIONS_TOKEN") },
    });
    expect(smtp.received).toEqual([]);
  });

  test("imap-send: when the token is wrong, then the cookie of somebody who may send does not count beside it", async () => {
    const response = await fetch(`${app.url}/functions/imap-send`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: "Bearer x",
        origin: app.url,
        cookie: practice.cookies(),
      },
      body: JSON.stringify({ userId: practice.ownerId, message: aMessage("priya@example.org") }),
    });
    expect(response.status).toBe(401);
    expect(smtp.received).toEqual([]);
  });

  test.each<[string, Partial<Settings>]>([
    ["has no token", { MAIL_FUNCTIONS_TOKEN: undefined }],
    ["uses a gateway itself", { MAIL_FUNCTIONS_URL: "https://gateway.example.org" }],
  ])("imap-send: when this server %s, then it takes none", async (_what, change) => {
    configure({ ...settings(), ...change });
    expect((await send(`Bearer ${TOKEN}`)).status).toBe(401);
    expect((await send("Bearer undefined")).status).toBe(401);
    expect(smtp.received).toEqual([]);
  });

  test.each<[string, () => Promise<string>]>([
    ["nobody here", () => Promise.resolve("nobody")],
    [
      "somebody who is suspended",
      async () => {
        await set("users", { status: "suspended" });
        return practice.ownerId;
      },
    ],
    [
      "somebody without a subscription",
      async () => {
        await set("customers", { "subscriptions.0.status": "past_due" });
        return practice.ownerId;
      },
    ],
  ])("imap-send: when it names %s, then it is refused and nothing leaves", async (_who, person) => {
    expect(await send(`Bearer ${TOKEN}`, { userId: await person() })).toMatchObject({ status: 403 });
    expect(smtp.received).toEqual([]);
  });

  test("imap-send: when the mail goes to somebody who may not be mailed, then the gate keeps it here too", async () => {
    const { first } = await aCase(practice);
    const { version, ...client } = await practice.api.clients.get.query({ id: first.id });
    const { email, firstName, lastName } = client;
    const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
    const fields = clientFields({ email, firstName, lastName, safeContact });
    await practice.api.clients.update.mutate({ id: first.id, version, client: fields });
    expect(await send(`Bearer ${TOKEN}`, { to: email })).toMatchObject({ status: 409 });
    expect(smtp.received).toEqual([]);
  });

  test("S67: imap-send: when the mail answers a letter to the other party, then the gate keeps it here too", async () => {
    const { theCase, first, second } = await aCase(practice);
    const letter = { subject: "Your papers", body: richTextOf("Here"), fileIds: [], meetingId: null, sendAt: null };
    const to = { clientId: second.id, caseId: theCase.id, to: [{ name: "", address: second.email }], cc: [] };
    const { id } = await practice.api.compose.send.mutate({
      id: newId(),
      ...letter,
      ...to,
      inReplyTo: "",
      references: [],
    });
    const written = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
    const headers = { References: written?.messageId };
    expect(await send(`Bearer ${TOKEN}`, { to: first.email, headers })).toMatchObject({ status: 409 });
    expect((await send(`Bearer ${TOKEN}`, { to: second.email, headers })).status).toBe(200);
  });

  test.each(Object.keys(RAW_ROUTES).filter((name) => doorOf(name).access !== "public" && !doorOf(name).takesToken))(
    "%s: when it is asked with the token alone, then it refuses",
    async (name) => {
      const { route } = doorOf(name);
      if (!route) throw new Error(`${name} is no route`);
      const response = await fetch(app.url + route.address(NOBODY), {
        method: route.method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": route.contentType, origin: app.url },
        ...(route.method === "POST" ? { body: "{}" } : {}),
      });
      expect(response.status).toBe(401);
    },
  );

  test("settings: when the token that this server takes is short, then it does not start", () => {
    expect(() => readSettings({ MAIL_FUNCTIONS_TOKEN: "short" })).toThrow(/MAIL_FUNCTIONS_TOKEN must have at least 32/);
    const used = { MAIL_FUNCTIONS_TOKEN: "short", MAIL_FUNCTIONS_URL: "https://gateway.example.org" };
    expect(readSettings(used).MAIL_FUNCTIONS_TOKEN).toBe("short");
  });
});

const set = (collection: string, $set: object) =>
  mongoose.connection.collection<{ _id: string }>(collection).updateOne({ _id: practice.ownerId }, { $set });
