import { MINUTE_MS } from "@app/server/core/clock";
import { providerAccountOf } from "@app/server/features/mailboxes/mailbox-access.service";
import { emailConnectionOf } from "@app/server/features/users/email-connection.service";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { AURINKO_CODE, startFakeAurinko } from "../support/mail/fake-aurinko.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { type Api, aPractice, aStaffUser, aVisitor, PASSWORD } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const aurinko = forAllTests(startFakeAurinko);
const app = forAllTests(() => startTestApp(aurinko.environment));
beforeEach(() => {
  aurinko.state.isDown = false;
  aurinko.state.isDead = false;
});

async function begin(api: Api): Promise<string> {
  const { url } = await api.mailboxes.startSignIn.mutate({ provider: "Google" });
  return new URL(url).searchParams.get("state") ?? "";
}
const back = (state: string) => ({ status: "success", code: AURINKO_CODE, state });
const linked = () => mongoose.connection.collection("email_tokens").countDocuments();

test("mailboxes.startSignIn: the provider's page is asked for no more than reading and sending mail", async () => {
  const { api } = await aPractice(app);
  const { url } = await api.mailboxes.startSignIn.mutate({ provider: "Office365" });
  const { origin, pathname, searchParams } = new URL(url);
  expect(`${origin}${pathname}`).toBe(`${aurinko.url}/v1/auth/authorize`);
  expect(Object.fromEntries(searchParams)).toEqual({
    clientId: "client-id",
    serviceType: "Office365",
    scopes: "Mail.Read Mail.Send",
    responseType: "code",
    returnUrl: expect.stringMatching(/\/v1\/auth\/callback$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(url).not.toContain("client-secret");
});

test("mailboxes.finishSignIn: whoever comes back with their own state has the mailbox connected", async () => {
  const { api, ownerId } = await aPractice(app);
  expect(await api.mailboxes.finishSignIn.mutate(back(await begin(api)))).toEqual({
    email: aurinko.state.account.email,
  });
  expect((await api.mailboxes.get.query()).connected).toMatchObject({
    kind: "provider",
    providerName: "Google",
    isActive: true,
    servers: null,
  });
  expect(await emailConnectionOf(ownerId)).toMatchObject({ connected: true, active: true, serviceType: "Google" });
  expect(await providerAccountOf(ownerId)).toMatchObject({
    accountId: "41",
    accessToken: expect.stringMatching(/^token-/),
  });
  const stored = JSON.stringify(
    await mongoose.connection.collection<{ _id: string }>("email_tokens").findOne({ _id: ownerId }),
  );
  expect(stored).not.toContain("token-");
});

test.each<[string, () => Promise<{ api: Api; state: string }>]>([
  ["no state", async () => ({ api: (await aPractice(app)).api, state: "" })],
  ["a forged state", async () => ({ api: (await aPractice(app)).api, state: "f".repeat(43) })],
  [
    "another practice's state",
    async () => ({ state: await begin((await aPractice(app)).api), api: (await aPractice(app)).api }),
  ],
  ["a colleague's state", colleaguesState],
  ["the state of another browser of the same person", otherBrowsersState],
  ["a state of more than ten minutes ago", oldState],
])("mailboxes.finishSignIn: %s is refused, and nothing is linked", async (_what, make) => {
  const { api, state } = await make();
  const before = await linked();
  const calls = aurinko.requests.length;
  const { message, code } = await refusal(api.mailboxes.finishSignIn.mutate(back(state)));
  expect({ message, code }).toEqual({ message: expect.stringContaining("nothing is connected"), code: "BAD_REQUEST" });
  expect(await linked()).toBe(before);
  expect(aurinko.requests).toHaveLength(calls);
});

async function colleaguesState() {
  const practice = await aPractice(app);
  const staff = await aStaffUser(app, practice);
  return { api: practice.api, state: await begin(staff.api) };
}

async function otherBrowsersState() {
  const { api, email } = await aPractice(app);
  const other = aVisitor(app);
  await other.api.auth.signIn.mutate({ email, password: PASSWORD, isRemembered: false });
  return { api: other.api, state: await begin(api) };
}

async function oldState() {
  const { api } = await aPractice(app);
  const state = await begin(api);
  moveTime(10 * MINUTE_MS + 1000);
  return { api, state };
}

test("mailboxes.finishSignIn: a state is good once", async () => {
  const { api } = await aPractice(app);
  const state = await begin(api);
  await api.mailboxes.finishSignIn.mutate(back(state));
  expect((await refusal(api.mailboxes.finishSignIn.mutate(back(state)))).code).toBe("BAD_REQUEST");
});

test.each([
  ["the person said no at the provider", { status: "error", code: "" }, "BAD_REQUEST"],
  ["the code is not confirmed", { status: "success", code: "wrong" }, "BAD_GATEWAY"],
])("mailboxes.finishSignIn: where %s, nothing is linked and the state is spent", async (_what, answer, code) => {
  const { api, ownerId } = await aPractice(app);
  const state = await begin(api);
  expect((await refusal(api.mailboxes.finishSignIn.mutate({ ...answer, state }))).code).toBe(code);
  expect((await refusal(api.mailboxes.finishSignIn.mutate(back(state)))).code).toBe("BAD_REQUEST");
  expect(await providerAccountOf(ownerId)).toBeNull();
});

test("mailboxes.finishSignIn: an account of an own server is never taken this way", async () => {
  const { api, ownerId } = await aPractice(app);
  const { account } = aurinko.state;
  aurinko.state.account = { ...account, serviceType: "IMAP" };
  expect((await refusal(api.mailboxes.finishSignIn.mutate(back(await begin(api))))).code).toBe("BAD_GATEWAY");
  aurinko.state.account = account;
  expect(await emailConnectionOf(ownerId)).toBeNull();
});

test("mailboxes.finishSignIn: the mailbox of before is replaced, and its password forgotten", async () => {
  const { api, ownerId } = await aPractice(app);
  await connectMailbox(ownerId, { email: "old@example.org", smtpPort: 2525, imapPort: 143 });
  await api.mailboxes.finishSignIn.mutate(back(await begin(api)));
  expect(
    await mongoose.connection.collection<{ _id: string }>("email_credentials").findOne({ _id: ownerId }),
  ).toBeNull();
  expect((await api.mailboxes.get.query()).connected).toMatchObject({
    kind: "provider",
    email: aurinko.state.account.email,
  });
});

test.each([
  ["which then forgets it too", false],
  ["also when the provider does not answer", true],
])("mailboxes.disconnect: the token is gone, %s", async (_what, isDown) => {
  const { api, ownerId } = await aPractice(app);
  await api.mailboxes.finishSignIn.mutate(back(await begin(api)));
  aurinko.state.isDown = isDown;
  expect((await api.mailboxes.disconnect.mutate()).connected).toBeNull();
  expect(aurinko.requests.at(-1)).toMatchObject({ method: "DELETE", path: "/v1/account" });
  expect(await providerAccountOf(ownerId)).toBeNull();
  expect(await emailConnectionOf(ownerId)).toBeNull();
});

test("mailboxes.check: a connection that the provider ended is told, one that does not answer is not given up", async () => {
  const { api, ownerId } = await aPractice(app);
  await api.mailboxes.finishSignIn.mutate(back(await begin(api)));
  aurinko.state.isDown = true;
  expect((await api.mailboxes.check.mutate()).connected).toMatchObject({
    isActive: true,
    lastError: expect.stringMatching(/does not answer/),
  });
  aurinko.state.isDown = false;
  aurinko.state.isDead = true;
  expect((await api.mailboxes.check.mutate()).connected).toMatchObject({
    isActive: false,
    lastError: "Google ended the connection to this mailbox. Connect it again by signing in there.",
  });
  expect(await emailConnectionOf(ownerId)).toMatchObject({ connected: true, active: false });
});

test("S71: mailboxes.finishSignIn: what colleagues may do, when another account is linked, then begins anew, and of the same one stays", async () => {
  const { api } = await aPractice(app);
  const { email } = aurinko.state.account;
  const link = async () => api.mailboxes.finishSignIn.mutate(back(await begin(api)));
  const sharing = async () => (await api.mailboxes.get.query()).connected?.sharing;
  await link();
  await api.mailboxes.share.mutate({ maySend: false, mayRead: true });
  await link();
  expect(await sharing()).toEqual({ maySend: false, mayRead: true });
  try {
    aurinko.state.account.email = "private@quillfeather.example.org";
    await link();
  } finally {
    aurinko.state.account.email = email;
  }
  expect(await sharing()).toEqual({ maySend: true, mayRead: false });
});
