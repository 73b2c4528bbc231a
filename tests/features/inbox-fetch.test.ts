import { createServer, type Socket } from "node:net";
import { closeConnections, openConnections } from "@app/server/features/inbox/connections";
import { fetchEmails } from "@app/server/features/inbox/fetch.service";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { imapFetchSchema } from "@app/shared/mail-payload";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const fetching = (userId: string, fields: Record<string, unknown> = {}) =>
  fetchEmails(imapFetchSchema.parse({ userId, ...fields }), async () => undefined);

const WITH_FILES = aMail({
  subject: "The form",
  headers: ['Content-Type: multipart/mixed; boundary="b"', "In-Reply-To: <two@x>", "References: <one@x> <two@x>"],
  text: [
    '--b\nContent-Type: multipart/alternative; boundary="a"\n',
    "--a\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe, the form is attached.",
    "--a\nContent-Type: text/html\n\n<p>Hello</p>\n--a--",
    '--b\nContent-Type: application/pdf; name="form.pdf"\nContent-Disposition: attachment; filename="../form.pdf"\nContent-Transfer-Encoding: base64\n\nUERGUERG\n--b--',
  ].join("\n"),
});

describe.skipIf(whyNoDovecot)("mail read from a mailbox", () => {
  let email: string;
  let userId: string;
  let count = 0;
  const dovecot = forAllTests(startDovecot);
  forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  afterAll(closeConnections);
  beforeEach(async () => {
    count += 1;
    email = `reader${count}@practice.example.org`;
    userId = `reader-${count}`;
    await connectMailbox(userId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
  });
  const lay = (mails: (string | Buffer)[], folder = "INBOX") => layMails(dovecot, email, mails, { folder });
  const useServer = (port: number) =>
    EmailCredentialsModel.updateOne({ _id: userId }, { $set: { "imap.port": port }, $unset: { ca: 1 } });

  test("fetch: with nothing said, the fifty newest of the inbox come, the newest first", async () => {
    await lay(Array.from({ length: 53 }, (_, index) => aMail({ subject: `Mail ${index}` })));
    const mails = await fetching(userId);
    expect(mails.map(({ subject }) => subject)).toEqual(Array.from({ length: 50 }, (_, index) => `Mail ${52 - index}`));
  });

  test("fetch: with an offset and a limit, exactly that slice comes, and none beyond the end", async () => {
    await lay(Array.from({ length: 7 }, (_, index) => aMail({ subject: `Mail ${index}` })));
    const subjects = async (fields: object) => (await fetching(userId, { ...fields })).map(({ subject }) => subject);
    expect(await subjects({ limit: 2, offset: 3 })).toEqual(["Mail 3", "Mail 2"]);
    expect(await subjects({ limit: 5, offset: 5 })).toEqual(["Mail 1", "Mail 0"]);
    expect(await subjects({ offset: 7 })).toEqual([]);
    expect(await subjects({ folder: "Trash" })).toEqual([]);
  });

  test("fetch: a mail comes with its people, its first words, its thread and what is attached", async () => {
    await lay([WITH_FILES]);
    const [mail] = await fetching(userId);
    expect(mail).toMatchObject({
      from: { name: "Priya", address: "priya@example.org" },
      to: [{ name: "", address: "ines@example.org" }],
      subject: "The form",
      preview: "Grüße, the form is attached.",
      isSeen: false,
      inReplyTo: "<two@x>",
      references: ["<one@x>", "<two@x>"],
      threadId: "<one@x>",
      attachments: [{ part: "2", name: "_form.pdf", mime: "application/pdf" }],
    });
  });

  test("fetch: a search finds words in UTF-8 in the subject, the sender and the text", async () => {
    await lay([
      aMail({ subject: "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=", text: "one" }),
      aMail({ subject: "other", text: "Łódź is far" }),
      aMail({ from: "Zoë <zoe@example.org>", subject: "third", text: "three" }),
      aMail({ subject: "fourth", text: "nothing" }),
    ]);
    const found = async (searchQuery: string) =>
      (await fetching(userId, { searchQuery })).map(({ preview }) => preview);
    expect(await found("grüße")).toEqual(["one"]);
    expect(await found("Łódź")).toEqual(["Łódź is far"]);
    expect(await found("zoe@example.org")).toEqual(["three"]);
    expect(await found('"\r\nA1 DELETE INBOX')).toEqual([]);
  });

  test("fetch: a mail without any header, with broken parts or an unknown character set comes as far as it can", async () => {
    await lay([
      "\n\n",
      aMail({ headers: ['Content-Type: multipart/mixed; boundary="never"'], text: "no boundary here" }),
      aMail({ headers: ["Content-Type: text/plain; charset=x-martian"], text: "plain words" }),
      aMail({ headers: ["Date: someday"], from: "broken <", subject: "=?x?Q?=FF?=" }),
    ]);
    const mails = await fetching(userId);
    expect(mails).toHaveLength(4);
    expect(mails.map(({ preview }) => preview)).toContain("plain words");
  });

  test("fetch: of a mail of 30 MB only the beginning is read", async () => {
    const base64 = `${"QUJD".repeat(19)}\r\n`.repeat(400_000);
    const head = WITH_FILES.replaceAll("\n", "\r\n").split("UERGUERG")[0] ?? "";
    await lay([Buffer.from(`${head}${base64}\r\n--b--\r\n`)]);
    const before = process.memoryUsage().arrayBuffers;
    const [mail] = await fetching(userId);
    expect(mail?.attachments[0]?.size).toBeGreaterThan(30_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  test("fetch: a folder that is not there is named, and the connection goes on", async () => {
    await expect(fetching(userId, { folder: "Nowhere" })).rejects.toThrow(
      'There is no folder "Nowhere" in this mailbox.',
    );
    expect(await fetching(userId)).toEqual([]);
  });

  test("fetch: without a connected mailbox it is said what to do", async () => {
    await expect(fetching("nobody")).rejects.toThrow(
      "No mailbox is connected. Connect yours on the email settings page.",
    );
  });

  test("fetch: twenty at once share one connection", async () => {
    await lay([aMail()]);
    closeConnections();
    const all = await Promise.all(Array.from({ length: 20 }, () => fetching(userId)));
    expect(all.map((mails) => mails.length)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(openConnections()).toBe(1);
  });

  test("fetch: mail that came since the last call is there, over the same connection", async () => {
    await lay([aMail()]);
    expect(await fetching(userId)).toHaveLength(1);
    await lay([aMail(), aMail()]);
    expect(await fetching(userId)).toHaveLength(3);
  });

  test("fetch: a connection that was cut between two calls is made again unnoticed", async () => {
    await lay([aMail()]);
    const cutter = await startCutter(dovecot.port);
    await useServer(cutter.port);
    await EmailCredentialsModel.updateOne({ _id: userId }, { $set: { ca: dovecot.ca } });
    expect(await fetching(userId)).toHaveLength(1);
    cutter.cut();
    expect(await fetching(userId)).toHaveLength(1);
    expect(cutter.count()).toBe(2);
    cutter.close();
  });

  test("fetch: a server that falls silent is given up in time, leaves no connection, and is not asked again at once", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    await useServer(typeof address === "object" && address ? address.port : 0);
    const began = Date.now();
    await expect(fetching(userId)).rejects.toThrow(/answer/i);
    expect(Date.now() - began).toBeLessThan(9000);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(sockets.filter((socket) => !socket.destroyed)).toEqual([]);
    silent.close();
  }, 20_000);
});

/** A server between the two that can cut every line through it. */
async function startCutter(target: number) {
  const { connect } = await import("node:net");
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const other = connect(target, "127.0.0.1");
    socket.pipe(other).pipe(socket);
    for (const end of [socket, other]) end.on("error", () => undefined);
    socket.once("close", () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    count: () => sockets.length,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () => server.close(),
  };
}
