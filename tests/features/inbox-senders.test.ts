// Whether the mail server proved who wrote a mail, on the page of the client and in the rule itself.
import { closeConnections } from "@app/server/features/inbox/connections";
import { plainMailboxOf, stampOf, verdictOn } from "@app/server/features/inbox/mail-authentication";
import { ownServerOf } from "@app/server/features/inbox/mail-stamps";
import { afterAll, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { aClient } from "../support/server/people.ts";
import { aWatchedMailbox, SENDER_CHECKS } from "../support/mail/watched-mailbox.ts";
import { FAILING, OWN_SERVER, passing, stamped } from "../support/mail/automated-mails.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const OWN = { stampsAs: "", domains: ["practice.example.org"] };
const FROM = "priya@example.org";
const PRIYA = `Priya <${FROM}>`;
const said = (results: string, by = OWN_SERVER) => {
  const stamp = stampOf(`Authentication-Results: ${by}; ${results}\r\nFrom: ${FROM}\r\n`, OWN);
  return stamp && verdictOn(stamp, FROM);
};

test.each<[string, string]>([
  ["dmarc=pass (p=none) header.from=example.org", "passed"],
  ["dmarc=pass header.from=example.org; dkim=fail header.d=example.org", "passed"],
  ["DMARC=PASS header.from=EXAMPLE.ORG", "passed"],
  ["dkim=pass header.d=example.org", "passed"],
  ['dkim=pass reason="2048-bit key; fine" header.i=@example.org header.s=s1', "passed"],
  ["spf=pass smtp.mailfrom=priya@example.org", "passed"],
  ["spf=pass smtp.mailfrom=priya@other.example; dkim=pass header.d=example.org", "passed"],
  ["dmarc=pass header.from=other.example", "failed"],
  ["dmarc=fail header.from=example.org; dkim=pass header.d=example.org", "failed"],
  ["dmarc=pass header.from=example.org; dmarc=fail header.from=example.org", "failed"],
  ["dmarc=pass header.from=example.org; dmarc=pass header.from=other.example", "failed"],
  ["dmarc=none; dmarc=pass header.from=example.org", "passed"],
  ["spf=fail smtp.mailfrom=priya@example.org", "failed"],
  ["spf=softfail smtp.mailfrom=priya@example.org; dkim=none", "failed"],
  ["dmarc=pass (p=none)", "unknown"],
  ["dmarc=pass header.from=example.org; dmarc=pass", "unknown"],
  ["dmarc=pass; spf=fail smtp.mailfrom=list@other.example", "unknown"],
  ["spf=pass smtp.mailfrom=priya@other.example", "unknown"],
  ["spf=pass smtp.mailfrom=priya@notexample.org", "unknown"],
  ["dkim=pass header.d=org", "unknown"],
  ["dkim=pass header.d=sub.example.org", "unknown"],
  ["spf=neutral smtp.mailfrom=priya@example.org", "unknown"],
  ['spf=none reason="; dmarc=pass header.from=example.org"', "unknown"],
  ["spf=none (a (nested; dmarc=pass) comment; dmarc=pass)", "unknown"],
  ["spf=none (open; dmarc=pass header.from=example.org", "unknown"],
  ["none", "unknown"],
])("S78: what a mail server says of a sender, when it is %s, means that they %s", (results, verdict) => {
  expect(said(results)).toBe(verdict);
});

test.each<[string, string | null]>([
  ["priya@example.org", FROM],
  ["Priya Shah <PRIYA@example.org>", FROM],
  ['"Shah, Priya; at: home" <priya@example.org>', FROM],
  ["Priya (at home, <x@evil.test>) <priya@example.org>", FROM],
  ["=?utf-8?q?Priya?= <priya@example.org>", FROM],
  ["x@evil.test: priya@example.org;", null],
  ["friends: priya@example.org, x@evil.test;", null],
  ["friends:;", null],
  ["priya@example.org, x@evil.test", null],
  ["x@evil.test <priya@example.org>", null],
  ["<x@evil.test> <priya@example.org>", null],
  ["<@evil.test:priya@example.org>", null],
  ['"priya <priya@example.org>', null],
  ["Priya <priya@example.org> x", null],
  ["", null],
])("S78: who wrote a mail, when its From is %s, is read as %s", (from, address) =>
  expect(plainMailboxOf(from)).toBe(address),
);

test.each(["practice.example.org", "mx.practice.example.org 1", '"mx.practice.example.org"'])(
  "S78: results by %s, in a mailbox at practice.example.org, are its own server's",
  (by) => expect(said(passing(), by)).toBe("passed"),
);

test.each([
  "example.org",
  "evilpractice.example.org",
  "practice.example.org.evil.example",
  "(mx.practice.example.org)",
])("S78: results by %s, in a mailbox at practice.example.org, are nobody's whom one can believe", (by) =>
  expect(said(passing(), by)).toBe(null),
);

const BY_SENDER = [
  "DKIM-Signature: v=1; d=evil.test",
  "List-Id: <x.evil.test>",
  "In-Reply-To: <x@evil.test>",
  "Resent-From: x@evil.test",
];
test.each([...BY_SENDER, "Content-Type: text/plain", "Subject: x"])(
  "S78: results below %s, which senders write, are nobody's whom one can believe",
  (field) => {
    const stamp = `Authentication-Results: ${OWN_SERVER}; ${passing()}`;
    expect(stampOf(`${field}\r\n${stamp}\r\nFrom: ${FROM}\r\n`, OWN)).toBe(null);
    expect(stampOf(`${stamp}\r\n${field}\r\nFrom: ${FROM}\r\n`, OWN)).not.toBe(null);
  },
);

const TRACED = [
  "Delivered-To: ines@practice.example.org",
  "Received: by 2002:a05:6a10 with SMTP id x",
  "X-Google-Smtp-Source: x",
  "ARC-Seal: i=1; a=rsa-sha256; d=google.com",
  "ARC-Message-Signature: i=1; d=google.com",
  `ARC-Authentication-Results: i=1; ${OWN_SERVER}; dmarc=pass`,
  `Return-Path: <${FROM}>`,
  "Received: from mail.example.org by mx.google.com",
  `Received-SPF: pass client-ip=192.0.2.1`,
].join("\r\n");

test("S78: results below what servers on the way write, as large providers send it, are their own server's", () => {
  const mail = `${TRACED}\r\nAuthentication-Results: ${OWN_SERVER}; ${passing()}\r\nDKIM-Signature: v=1\r\nFrom: ${FROM}\r\n`;
  expect(stampOf(mail, OWN)).not.toBe(null);
});

test("S78: the results of a known provider, when another server under its domain gives them, do not count", () => {
  const gmail = ownServerOf({
    email: "ines@practice.example.org",
    imap: { host: "imap.gmail.com", port: 993, secure: true, user: "", password: "" },
  });
  const by = (name: string) => stampOf(`Authentication-Results: ${name}; dmarc=pass\nFrom: ${FROM}\n`, gmail);
  expect(by("mx.google.com")).not.toBe(null);
  for (const other of ["google.com", "mx.google.com.example", "practice.example.org"]) expect(by(other)).toBe(null);
});

describe.skipIf(whyNoDovecot)("the page of a client", () => {
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp(SENDER_CHECKS));
  afterAll(closeConnections);

  const NOT_CONFIRMED: [string, string][] = [
    ["forged", stamped(aMail({ from: PRIYA }), FAILING)],
    [
      "forged, with a better word below",
      stamped(aMail({ from: PRIYA }), FAILING).replace(
        "From:",
        `Authentication-Results: ${OWN_SERVER}; ${passing()}\nFrom:`,
      ),
    ],
    ["said to be nobody's", stamped(aMail({ from: PRIYA }), "spf=none; dkim=none; dmarc=none")],
    ["neutral", stamped(aMail({ from: PRIYA }), `spf=neutral smtp.mailfrom=${FROM}; dkim=none; dmarc=none`)],
    ["in error for good", stamped(aMail({ from: PRIYA }), "spf=permerror; dkim=permerror; dmarc=permerror")],
    ["in error for now", stamped(aMail({ from: PRIYA }), "spf=temperror; dkim=temperror; dmarc=temperror")],
    [
      "proved of another domain",
      stamped(
        aMail({ from: PRIYA }),
        "spf=pass smtp.mailfrom=p@evil.example; dkim=pass header.d=evil.example; dmarc=none header.from=example.org",
      ),
    ],
    ...BY_SENDER.map((field): [string, string] => [
      `stamped below ${field}`,
      `${field}\r\n${stamped(aMail({ from: PRIYA }), passing())}`,
    ]),
    ["from two senders", stamped(aMail({ from: `${FROM}, boris@example.org` }), passing())],
    ["not stamped at all", aMail({ from: PRIYA })],
    ["stamped by another", stamped(aMail({ from: PRIYA }), passing(), "mx.elsewhere.example")],
    ["from the mailbox itself, forged", stamped(aMail({ from: "OWN", to: FROM }), "spf=none; dkim=none; dmarc=none")],
  ];
  /** Each with what it is as its subject. */
  const laid = (mails: readonly [string, string][], email: string) =>
    mails.map(([what, mail]) => mail.replace("Subject: About Tuesday", `Subject: ${what}`).replace("OWN", email));

  test("S78: mail of a client, when its server stamps its mail and did not confirm the sender, says so, and no other does", async () => {
    const { practice, email } = await aWatchedMailbox(app, dovecot);
    const client = await practice.api.clients.create.mutate(aClient({ email: FROM }));
    const confirmed: [string, string][] = [
      ["proved", stamped(aMail({ from: PRIYA }), passing())],
      ["proved on its way", `${TRACED}\r\n${stamped(aMail({ from: PRIYA }), passing())}`],
      ["sent from here", aMail({ from: "OWN", to: FROM })],
    ];
    await layMails(dovecot, email, laid([...NOT_CONFIRMED, ...confirmed], email));
    const { items } = await practice.api.inbox.list.query({ clientId: client.id });
    const doubted = items.filter(({ isSenderDoubted }) => isSenderDoubted);
    const subjects = (mails: { subject: string }[]) => mails.map(({ subject }) => subject).toSorted();
    expect(subjects(doubted)).toEqual(NOT_CONFIRMED.map(([what]) => what).toSorted());
    expect(items).toHaveLength(NOT_CONFIRMED.length + confirmed.length);
    const [first] = doubted;
    if (!first) throw new Error("no mail is doubted");
    const { folder, uidValidity, uid } = first;
    const opened = await practice.api.inbox.open.query({ clientId: client.id, folder, uidValidity, uid });
    expect(opened.mail.isSenderDoubted).toBe(true);
  });

  test("S78: mail of a client, when nobody vouches for its server, is doubted only where that says it failed", async () => {
    const { practice, email } = await aWatchedMailbox(app, dovecot, { isVouched: false });
    const client = await practice.api.clients.create.mutate(aClient({ email: FROM }));
    await layMails(dovecot, email, laid(NOT_CONFIRMED, email));
    const { items } = await practice.api.inbox.list.query({ clientId: client.id });
    expect(items).toHaveLength(NOT_CONFIRMED.length);
    const doubted = items.filter(({ isSenderDoubted }) => isSenderDoubted).map(({ subject }) => subject);
    expect(doubted.toSorted()).toEqual(["forged", "forged, with a better word below"]);
  });
});
