// What still goes after somebody stopped a mailing, where the mail server takes its time: what is on its way, and no more.
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { newId } from "@app/server/core/ids";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { MailingItemModel, MailingModel } from "@app/server/features/mailings/mailings.model";
import { richTextOf } from "@app/shared/rich-text";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { ignore, startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const RECIPIENTS = 30;
const CONNECTIONS = 5;
const SLOW_MS = 600;

/** Every mail whose last byte came; how long the server takes to answer is for each test to say. */
const taken: string[] = [];
let answerAfterMs = SLOW_MS;

const startSlowSmtp = () =>
  startSmtp({
    onData(stream, session, done) {
      void text(stream).then(() => {
        taken.push(session.envelope.rcptTo[0]?.address ?? "");
        setTimeout(done, answerAfterMs).unref();
      }, ignore);
    },
  });

/** A line to a server on this machine that somebody cuts. */
async function aLineTo(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", ignore).pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

let smtp: TestSmtp;
let practice: TestPractice;
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", PUBLIC_URL: "" }));
beforeEach(async () => {
  taken.splice(0);
  answerAfterMs = SLOW_MS;
  smtp = await startSlowSmtp();
  practice = await aPractice(app);
  await connectMailbox(practice.ownerId, { email: "ines@quill.example.org", smtpPort: smtp.port, imapPort: 1 });
});
afterEach(() => smtp.close());

const addresses = Array.from({ length: RECIPIENTS }, (_, at) => `w${at}@example.org`);

async function aMailing(): Promise<string> {
  const { id } = await practice.api.mailings.create.mutate({
    id: newId(),
    subject: "We move",
    body: richTextOf("Our new address is 4 Kiln Row."),
    perMinute: 0,
    source: { kind: "csv", csv: `value\n${addresses.join("\n")}` },
  });
  return id;
}

const start = (id: string) => practice.api.mailings.start.mutate({ id, changeId: newId() });
const countsOf = async (id: string) => (await practice.api.mailings.get.query({ id })).counts;
const untilBegun = () =>
  vi.waitFor(() => expect(taken.length).toBeGreaterThanOrEqual(CONNECTIONS), { timeout: 10_000, interval: 5 });

/** Those who are added to the list of who gets none, while the first are written to. */
const STOPPED = addresses.slice(RECIPIENTS / 2);
const STOPS: Record<string, (id: string) => Promise<unknown>> = {
  "mailings.cancel": (id) => practice.api.mailings.cancel.mutate({ id }),
  "mailings.pause": (id) => practice.api.mailings.pause.mutate({ id }),
  "mailboxes.disconnect": () => practice.api.mailboxes.disconnect.mutate(),
  "suppressions.add": () =>
    Promise.all(STOPPED.map((address) => practice.api.suppressions.add.mutate({ id: newId(), address }))),
};

test.each(Object.keys(STOPS))(
  "%s: the mail server is slow, when it is answered, then nothing more goes than was on its way",
  { timeout: 60_000 },
  async (stop) => {
    const id = await aMailing();
    await start(id);
    await untilBegun();
    await STOPS[stop]?.(id);
    const before = taken.length;
    await sleep(5 * SLOW_MS);
    const later = taken.slice(before).filter((address) => stop !== "suppressions.add" || STOPPED.includes(address));
    expect(later.length).toBeLessThanOrEqual(CONNECTIONS);
    await vi.waitFor(async () => expect((await countsOf(id)).sent).toBe(taken.length), { timeout: 10_000 });
  },
);

test(
  "mailings.cancel: mails are on their way, when the connection breaks after their last byte, then they may have arrived",
  { timeout: 60_000 },
  async () => {
    answerAfterMs = 60_000;
    const line = await aLineTo(smtp.port);
    onTestFinished(line.cut);
    await EmailCredentialsModel.updateOne({ _id: practice.ownerId }, { $set: { "smtp.port": line.port } });
    const id = await aMailing();
    await start(id);
    await untilBegun();
    const wanted = { sent: 0, waiting: 0, uncertain: CONNECTIONS, skipped: RECIPIENTS - CONNECTIONS };
    expect((await practice.api.mailings.cancel.mutate({ id })).counts).toMatchObject(wanted);
    line.cut();
    const uncertain = { ownerId: practice.ownerId, state: "uncertain" as const };
    await vi.waitFor(async () => expect(await MailingItemModel.countDocuments(uncertain)).toBe(CONNECTIONS), {
      timeout: 30_000,
    });
    expect(await countsOf(id)).toMatchObject(wanted);
    // Who is claimed in the same moment is given back as soon as it is seen that the mailing is over.
    await vi.waitFor(
      async () => {
        const { items } = await practice.api.mailings.listItems.query({ mailingId: id, state: "uncertain" });
        expect(items.map(({ address }) => address).toSorted()).toEqual(taken.toSorted());
      },
      { timeout: 10_000 },
    );
  },
);

test("mailings.cancel: the process dies while mails are on their way, then they may have arrived, and none is sent again", async () => {
  const id = await aMailing();
  const of = { ownerId: practice.ownerId, mailingId: id };
  const [first] = await MailingItemModel.find(of).sort({ _id: 1 }).limit(1).lean();
  // As the process left it.
  await MailingItemModel.updateOne(
    { ...of, _id: first?._id ?? "" },
    { $set: { state: "leaving", claimedBy: "gone.1" } },
  );
  await MailingModel.updateOne({ ownerId: of.ownerId, _id: id }, { $set: { state: "cancelled", counts: null } });
  expect(await countsOf(id)).toMatchObject({ sent: 0, waiting: 0, uncertain: 1, skipped: RECIPIENTS - 1 });
  const { items } = await practice.api.mailings.listItems.query({ mailingId: id });
  expect(items[0]).toMatchObject({ state: "uncertain", reason: expect.stringContaining("may have arrived") });
  expect(items[1]).toMatchObject({ state: "skipped", reason: expect.stringContaining("was cancelled before") });
  const skipped = await practice.api.mailings.listItems.query({ mailingId: id, state: "skipped" });
  expect(skipped.total).toBe(RECIPIENTS - 1);
  expect((await practice.api.mailings.listItems.query({ mailingId: id, state: "waiting" })).total).toBe(0);
  await MailingItemModel.updateOne({ ...of, _id: first?._id ?? "" }, { $set: { state: "uncertain" } });
  const again = practice.api.mailings.resend.mutate({ mailingId: id, id: first?._id ?? "", changeId: newId() });
  expect((await refusal(again)).message).toContain("was cancelled");
});
