// What a body may cost before anybody knows who sends it, and in whose turn it is read.
import { connect } from "node:net";
import { inBodyTurn } from "@app/server/core/read-body";
import { expect, test } from "vitest";
import { aClient, aPractice, aVisitor } from "../support/server/people.ts";
import { send } from "../support/server/raw-http.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const KB = 1024;

const app = forAllTests(() => startTestApp({ STRIPE_SECRET_KEY: "", ALLOW_REGISTRATION: "true" }));
const practice = forAllTests(() => aPractice(app));

const jsonOf = (bytes: number) => JSON.stringify({ email: "a".repeat(bytes), password: "none of ours" });
const post = (path: string, body: string, cookie = "") =>
  send(`${app.url}/trpc/${path}`, {
    method: "POST",
    headers: { origin: app.url, "content-type": "application/json", cookie },
    body,
  });

/** What the server says to these lines alone, though it was told of more. */
const answerTo = (lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const port = Number(new URL(app.url).port);
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(lines.join("\r\n")));
    socket.setTimeout(5000, () => socket.destroy(new Error("it waits for the body")));
    socket.once("data", (data) => {
      resolve(data.toString());
      socket.destroy();
    });
    socket.once("error", reject);
  });

const headOf = (...further: string[]) => [
  "POST /trpc/auth.signIn HTTP/1.1",
  `Host: ${new URL(app.url).host}`,
  `Origin: ${app.url}`,
  "Content-Type: application/json",
  ...further,
  "",
  "",
];

test.each(["auth.signIn", "auth.register", "auth.requestPasswordReset", "auth.resetPassword", "auth.setUp"])(
  "S74 %s: a body of some hundred kB of somebody who is not signed in, then it is refused for its size",
  async (path) => {
    const { status, text } = await post(path, jsonOf(900 * KB));
    expect([status, text]).toEqual([413, expect.stringContaining("too large to send at once")]);
  },
);

test("S74 auth.signIn: a length that is too large, when nothing of it has come, then it is refused by its head", async () => {
  expect(await answerTo(headOf("Content-Length: 900000"))).toMatch(/^HTTP\/1\.1 413 /);
});

test("S74 auth.signIn: a body without a length, when more of it comes than it may have, then it is refused before its end", async () => {
  const head = headOf("Transfer-Encoding: chunked").join("\r\n");
  const chunk = "x".repeat(9 * KB);
  expect(await answerTo([`${head}${chunk.length.toString(16)}`, chunk, ""])).toMatch(/^HTTP\/1\.1 413 /);
});

test("S74 auth.signIn: the largest form that somebody fills in, then it is read and answered at its fields", async () => {
  const { status, text } = await post(
    "auth.register",
    JSON.stringify({
      firstName: "\u00fc".repeat(100),
      lastName: "\u00fc".repeat(100),
      password: "\ud83d\ude00".repeat(128),
    }),
  );
  expect([status, text]).toEqual([400, expect.stringContaining("email")]);
});

test("S74 clients.create: a body of some hundred kB of somebody who is signed in, then it is read; of nobody, then not", async () => {
  const body = JSON.stringify({ ...aClient(), needs: "a".repeat(300 * KB) });
  const { status, text } = await post("clients.create", body, practice.cookies());
  expect([status, text]).toEqual([400, expect.stringContaining("needs")]);
  expect((await post("clients.create", body)).status).toBe(401);
});

test("S74 auth.signIn: the cookie of nobody, when it is sent along, makes room for nothing", async () => {
  const visitor = aVisitor(app);
  const cookie = `${visitor.cookies()}; auth_session=${"a".repeat(40)}`;
  expect((await post("auth.signIn", jsonOf(20 * KB), cookie)).status).toBe(413);
});

test("S74 bodies: one who sends many large ones, when another sends one, has it read after the one that is under way", async () => {
  const [large, small] = [Buffer.alloc(100 * KB), Buffer.alloc(10)];
  const read: string[] = [];
  const body = (bytes: Buffer, group: string, name: string) =>
    inBodyTurn(bytes, { group, one: "" }, () => Promise.resolve(read.push(name)));
  const many = Array.from({ length: 20 }, (_, index) => body(large, "flooding", `flood ${index}`));
  await Promise.all([body(large, "other", "other"), body(small, "small", "small")]);
  expect(read).toEqual(["small", "flood 0", "other"]);
  await Promise.all(many);
});
