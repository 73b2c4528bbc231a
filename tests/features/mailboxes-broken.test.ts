import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MailProblem, MailServer } from "@app/shared/mailboxes";
import {
  aBrokenServer,
  aCertificate,
  anImapThatSays,
  anSmtpThatSays,
  type BrokenServer,
  outerAddress,
} from "../support/mail/broken-servers.ts";
import { freePort } from "../support/server/free-port.ts";
import { aPractice } from "../support/server/people.ts";
import { SMTP_PASSWORD, startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const ENDLESS_BYTES = 8 * 1024 * 1024;

let smtp: TestSmtp;
let imap: BrokenServer;
const servers: { close(): Promise<void> }[] = [];
const keep = async <Server extends { close(): Promise<void> }>(starting: Promise<Server>): Promise<Server> => {
  const server = await starting;
  servers.push(server);
  return server;
};

const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
beforeAll(async () => {
  smtp = await keep(startSmtp());
  imap = await keep(anImapThatSays("OK signed in"));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

interface Setup {
  imap?: Partial<MailServer>;
  smtp?: Partial<MailServer>;
  password?: string;
  ca?: string;
}

/** What a person reads who connects a mailbox that is set up like this; every other part of it works. */
async function problemsOf(setup: Setup): Promise<MailProblem[]> {
  const { api } = await aPractice(app);
  const working = { host: "localhost", secure: false, user: "ines@example.org" };
  const { problems } = await api.mailboxes.connect.mutate({
    email: "ines@example.org",
    password: setup.password ?? SMTP_PASSWORD,
    ca: setup.ca ?? "",
    servers: {
      imap: { ...working, port: imap.port, ...setup.imap },
      smtp: { ...working, port: smtp.port, ...setup.smtp },
    },
  });
  if (problems.length > 0) expect((await api.mailboxes.get.query()).connected).toBeNull();
  return problems;
}

type Case = [what: string, setup: () => Promise<Setup>, expected: Partial<Record<keyof MailProblem, unknown>>];
const says = (text: string) => expect.stringContaining(text);

const CASES: Case[] = [
  [
    "a password that the server for sending refuses",
    async () => ({ password: "wrong" }),
    { side: "smtp", field: "password", what: says("localhost did not accept this user name and password") },
  ],
  [
    "a password that both servers refuse, told once",
    async () => ({ password: "wrong", imap: await imapSays("NO [AUTHENTICATIONFAILED] Invalid credentials") }),
    { side: "imap", field: "password", whatToDo: says("Type the password again") },
  ],
  [
    "a provider that wants an app password",
    async () => ({ imap: await imapSays("NO [ALERT] Application-specific password required (Failure)") }),
    { field: "password", whatToDo: says("app password") },
  ],
  [
    "access by other programs switched off at the provider",
    async () => ({ imap: await imapSays("NO [ALERT] Your account is not enabled for IMAP use. (Failure)") }),
    { field: "email", what: says("switched off for this mailbox"), whatToDo: says("switch on “IMAP”") },
  ],
  [
    "too many connections, though the server calls it a failed sign-in",
    async () => ({ imap: await imapSays("NO [LIMIT] Maximum number of connections exceeded") }),
    { field: "", what: says("no further connection"), whatToDo: says("The password is not in doubt") },
  ],
  [
    "a host that does not exist",
    async () => ({ imap: { host: "imap.nowhere.invalid", port: 993 } }),
    { side: "imap", field: "host", what: says("There is no mail server to reach at imap.nowhere.invalid, port 993") },
  ],
  [
    "a port where nothing listens",
    async () => ({ smtp: { port: await freePort() } }),
    {
      side: "smtp",
      field: "port",
      what: says("Nothing answers at localhost"),
      whatToDo: says("the usual port is 465"),
    },
  ],
  [
    "a server that never says a word",
    async () => ({ imap: { port: (await keep(aBrokenServer({}))).port } }),
    { side: "imap", field: "port", what: says("does not answer") },
  ],
  [
    "encryption from the start at a port that begins in the clear",
    async () => ({ imap: { secure: true } }),
    { side: "imap", field: "secure", what: says("does not begin encrypted"), whatToDo: says("Encrypted after") },
  ],
  [
    "a port that begins encrypted, reached in the clear",
    async () => ({ imap: { port: (await keep(aBrokenServer({ tls: await aCertificate({}) }))).port } }),
    { side: "imap", field: "secure", what: says("begins encrypted"), whatToDo: says("Encrypted from the start") },
  ],
  [
    "a certificate that nobody knows",
    async () => ({ smtp: await overTls({}) }),
    { side: "smtp", field: "ca", what: says("comes from nobody who is known") },
  ],
  [
    "a certificate of another name",
    async () => withAuthority({ name: "mail.elsewhere.example" }),
    { side: "imap", field: "host", what: says("made out to another name") },
  ],
  [
    "a certificate that has expired",
    async () => withAuthority({ isExpired: true }),
    { side: "imap", field: "", what: says("The certificate of localhost has expired") },
  ],
  [
    "a web server where mail should be",
    async () => ({ imap: { port: (await keep(aBrokenServer({ greeting: "HTTP/1.1 400 Bad Request" }))).port } }),
    { side: "imap", field: "host", what: says("There is no mail server at localhost") },
  ],
  [
    "the two servers the wrong way round",
    async () => ({ imap: { port: smtp.port }, smtp: { port: imap.port } }),
    { side: "imap", field: "port", what: says("is the server that sends mail") },
  ],
  [
    "a server whose lines have no end",
    async () => ({ imap: { port: (await keep(aBrokenServer({ greeting: `* OK ${"x".repeat(5_000_000)}` }))).port } }),
    { side: "imap", what: says("sends more in one answer than a mail server has to") },
  ],
  [
    "a server that hangs up",
    async () => ({ smtp: { port: (await keep(aBrokenServer({ greeting: "421 Too busy" }))).port } }),
    { side: "smtp", what: says("closed the connection at once") },
  ],
];

const imapSays = async (answer: string) => ({ port: (await keep(anImapThatSays(answer))).port });

async function overTls(options: Parameters<typeof aCertificate>[0]) {
  const tls = await aCertificate(options);
  return { secure: true, port: (await keep(aBrokenServer({ tls, greeting: "220 hello" }))).port };
}

async function withAuthority(options: Parameters<typeof aCertificate>[0]): Promise<Setup> {
  const tls = await aCertificate(options);
  const { port } = await keep(aBrokenServer({ tls, greeting: "* OK hello" }));
  return { ca: tls.cert, imap: { secure: true, port } };
}

describe("S74: a server for sending that says lines without end", () => {
  test.each([
    ["empty lines", "\n"],
    ["lines of blanks", " \r\n"],
    ["answers to nothing", "250 go on\r\n"],
    ["lines of one answer", "250-go on\r\n"],
  ])("when they are %s, then it is left before they are kept", async (_what, line) => {
    const lines = line.repeat(Math.ceil(ENDLESS_BYTES / line.length));
    const endless = await keep(
      aBrokenServer({ greeting: "220 here", answer: (said) => (said.startsWith("EHLO") ? lines : "250 ok") }),
    );
    const [problem] = await problemsOf({ smtp: { port: endless.port } });
    expect(problem).toMatchObject({ side: "smtp", what: says("sends more in one answer than a mail server has to") });
  });
});

test("S74: a server that only exchanges keys over a finite field, whose size is its choice, when it is tried, is not gone along with", async () => {
  const finite = { ciphers: "DHE-RSA-AES128-GCM-SHA256", dhparam: "auto", maxVersion: "TLSv1.2" } as const;
  const { port } = await keep(aBrokenServer({ tls: { ...(await aCertificate({})), ...finite } }));
  for (const side of ["imap", "smtp"] as const) {
    const [problem] = await problemsOf({ [side]: { port, secure: true } });
    // Its certificate, which nobody knows, is not even looked at.
    expect(problem).toMatchObject({ side, field: expect.not.stringMatching("ca") });
  }
});

describe.concurrent("mailboxes.connect", () => {
  test.each(CASES)(
    "mailboxes.connect: %s is told in plain words, and nothing is saved",
    async (_what, setup, expected) => {
      const problems = await problemsOf(await setup());
      expect(problems[0]).toMatchObject(expected);
      const words = problems.map(({ what, whatToDo }) => `${what} ${whatToDo}`).join(" ");
      expect(words).not.toMatch(/ECONN|ETIMEDOUT|EAUTH|EPROTO|SMTP|TLS|undefined|!/);
    },
  );
});

test.skipIf(!outerAddress)(
  "mailboxes.connect: a server that offers no encryption never hears the password",
  async () => {
    const plain = await keep(anSmtpThatSays("235 ok", ["AUTH PLAIN LOGIN"], true));
    const [problem] = await problemsOf({ smtp: { host: outerAddress ?? "", port: plain.port } });
    expect(problem).toMatchObject({ side: "smtp", field: "secure", what: says("offers no encryption") });
    expect(plain.heard()).not.toMatch(/auth/i);
  },
);
