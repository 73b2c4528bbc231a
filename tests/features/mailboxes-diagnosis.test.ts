import { badField } from "@app/server/core/errors";
import { diagnose } from "@app/server/features/mailboxes/diagnosis.service";
import type { Attempt } from "@app/server/features/mailboxes/diagnosis-words";
import { MAIL_PROVIDERS, providerOfMx, providerOfServer } from "@app/server/features/mailboxes/mail-providers.service";
import fc from "fast-check";
import { expect, test } from "vitest";

const attemptAt = (host: string, overrides: Partial<Attempt> = {}): Attempt => ({
  side: "imap",
  host,
  port: 993,
  secure: true,
  provider: providerOfServer(host),
  ...overrides,
});
const errorOf = (fields: object) => Object.assign(new Error("Command failed"), fields);
const signInRefused = (responseText: string) => errorOf({ authenticationFailed: true, responseText });
const submission = (response: string, responseCode = 535) => errorOf({ code: "EAUTH", response, responseCode });

/** What real servers answer, word for word. */
const ANSWERS: [what: string, error: Error, attempt: Attempt, field: string, text: RegExp, isLasting: boolean][] = [
  [
    "Gmail without an app password, for sending",
    submission("534-5.7.9 Application-specific password required. For more information, go to 534 5.7.9 gsmtp", 534),
    attemptAt("smtp.gmail.com", { side: "smtp", port: 465 }),
    "password",
    /^Gmail did not accept this password\. It wants an app password/,
    true,
  ],
  [
    "Gmail with a wrong password",
    signInRefused("Invalid credentials (Failure)"),
    attemptAt("imap.gmail.com"),
    "password",
    /app password/,
    true,
  ],
  [
    "Gmail that wants a look at its web page",
    errorOf({
      authenticationFailed: true,
      serverResponseCode: "WEBALERT",
      responseText: "Please log in via your web browser",
    }),
    attemptAt("imap.gmail.com"),
    "email",
    /Sign in to this mailbox on the provider’s own web page/,
    true,
  ],
  [
    "Yahoo with the ordinary password",
    signInRefused("LOGIN Invalid credentials"),
    attemptAt("imap.mail.yahoo.com"),
    "password",
    /^Yahoo did not accept this password\. It wants an app password/,
    true,
  ],
  [
    "iCloud with the ordinary password, for sending",
    submission("535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6"),
    attemptAt("smtp.mail.me.com", { side: "smtp", port: 587, secure: false }),
    "password",
    /^iCloud did not accept this password\. It wants an app password/,
    true,
  ],
  [
    "Microsoft that no longer takes passwords, for sending",
    submission("535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."),
    attemptAt("smtp.office365.com", { side: "smtp", port: 587, secure: false }),
    "email",
    /^Microsoft takes no password.*Connect by signing in at Microsoft/,
    true,
  ],
  [
    "Microsoft that no longer takes passwords, for reading",
    signInRefused("AUTHENTICATE failed."),
    attemptAt("outlook.office365.com"),
    "email",
    /Connect by signing in at Microsoft/,
    true,
  ],
  [
    "Dovecot with too many connections",
    errorOf({
      authenticationFailed: true,
      serverResponseCode: "LIMIT",
      responseText: "Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)",
    }),
    attemptAt("imap.example.org"),
    "",
    /no further connection.*password is not in doubt/,
    false,
  ],
  [
    "Dovecot whose list of passwords is away",
    errorOf({
      authenticationFailed: true,
      serverResponseCode: "UNAVAILABLE",
      responseText: "Temporary authentication failure.",
    }),
    attemptAt("imap.example.org"),
    "",
    /cannot check passwords at the moment/,
    false,
  ],
  [
    "a mailbox whose access is not switched on",
    signInRefused("IMAP access is disabled for your account"),
    attemptAt("imap.gmx.net"),
    "email",
    /^GMX has access by other mail programs switched off/,
    true,
  ],
  [
    "a server that takes no sign-in before encryption",
    errorOf({ message: "Login is disabled", authenticationFailed: true }),
    attemptAt("imap.example.org", { port: 143, secure: false }),
    "port",
    /offers no sign-in with a password.*port 993/,
    true,
  ],
  [
    "a server with an old kind of encryption",
    errorOf({ message: "ssl3_read_bytes:tlsv1 alert protocol version", code: "EPROTO" }),
    attemptAt("imap.example.org"),
    "host",
    /old kind of encryption/,
    true,
  ],
  [
    "a network that leads nowhere",
    errorOf({ message: "connect EHOSTUNREACH 198.51.100.7:993", code: "EHOSTUNREACH" }),
    attemptAt("imap.example.org"),
    "host",
    /^This installation cannot reach imap\.example\.org, port 993/,
    false,
  ],
  [
    "an older kind of mailbox",
    errorOf({ code: "GREETING_TIMEOUT" }),
    attemptAt("pop.example.org", { port: 143, secure: false, found: { speaksTls: false, greeting: "+OK POP3 ready" } }),
    "port",
    /cannot be used here/,
    false,
  ],
  [
    "an account that the provider locked",
    submission("535 5.7.0 Your account has been locked for security reasons"),
    attemptAt("smtp.example.org", { side: "smtp", port: 465 }),
    "email",
    /the provider’s own web page/,
    true,
  ],
  [
    "a host of this machine's own network",
    badField("host", "There is no mail server to reach at 10.0.0.1, port 993. Check the name and the port."),
    attemptAt("10.0.0.1"),
    "host",
    /^There is no mail server to reach at 10\.0\.0\.1, port 993\. Check the name and the port\.$/,
    false,
  ],
  [
    "an answer that nobody foresaw",
    errorOf({ responseText: "Frobnication\r\nneeded" }),
    attemptAt("imap.example.org"),
    "",
    /^imap\.example\.org refused, and said: “Frobnication needed”\. Check the server settings/,
    false,
  ],
];

test.each(ANSWERS)("diagnose: %s is told in plain words", (_what, error, attempt, field, text, isLasting) => {
  const told = diagnose(error, attempt);
  expect(`${told.what} ${told.whatToDo}`).toMatch(text);
  expect(told).toMatchObject({ field, isLasting, side: attempt.side });
});

test("diagnose: whatever an error holds, there is a sentence and a way on, without codes of the machine", () => {
  const anything = fc.record(
    {
      code: fc.oneof(fc.string(), fc.constantFrom("ESOCKET", "EAUTH", "ECONNECTION", "ETLS")),
      message: fc.string(),
      response: fc.string(),
      responseCode: fc.oneof(fc.integer(), fc.constant("x")),
      authenticationFailed: fc.boolean(),
      serverResponseCode: fc.string(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anything, fc.anything()), fc.constantFrom("imap", "smtp"), (error, side) => {
      const { what, whatToDo } = diagnose(error, attemptAt("mail.example.org", { side }));
      expect(what).toMatch(/\S[^]*\.$/);
      expect(whatToDo).toMatch(/\S[^]*\.$/);
    }),
  );
});

test("MAIL_PROVIDERS: no domain and no exchange belongs to two", () => {
  const domains = MAIL_PROVIDERS.flatMap((provider) => provider.domains);
  const exchanges = MAIL_PROVIDERS.flatMap((provider) => provider.mx);
  expect(new Set(domains).size).toBe(domains.length);
  expect(new Set(exchanges).size).toBe(exchanges.length);
});

test.each([
  ["aspmx.l.google.com", "Gmail"],
  ["quillfeather-example-org.mail.protection.outlook.com", "Microsoft"],
  ["in1-smtp.messagingengine.com", "Fastmail"],
  ["mx00.ionos.co.uk", "IONOS"],
])("providerOfMx: %s is of %s", (exchange, name) => {
  expect(providerOfMx([exchange])?.name).toBe(name);
});

test("providerOfMx: a name that only looks like a provider's is nobody's", () => {
  expect(providerOfMx(["notgoogle.com", "google.com.example.org"])).toBeUndefined();
});
