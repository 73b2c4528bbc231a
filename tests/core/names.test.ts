// Whoever names a host that no name server answers for keeps nobody but themselves waiting.
import { lookup } from "node:dns/promises";
import { isBusy } from "@app/server/core/errors";
import { ofUser } from "@app/server/core/fair-turns";
import { addressesOf, namesIn } from "@app/server/core/names";
import { mailDestination, webDestination } from "@app/server/core/outbound";
import { configure, readSettings } from "@app/server/core/settings";
import { mailNetwork } from "@app/server/features/mailboxes/mail-network";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startNameServer } from "../support/mail/name-server.ts";

const PUBLIC = "93.184.215.14";
const KNOWN = {
  "mail.quill.org": [PUBLIC],
  "both.quill.org": [PUBLIC, "2606:4700::1111"],
  "alias.quill.org": ["both.quill.org"],
  "inside.quill.org": ["alias-inside.quill.org"],
  "alias-inside.quill.org": ["10.0.0.7"],
  "half.quill.org": [PUBLIC, "fd00::7"],
  "second.quill.org": [PUBLIC, "127.0.0.1"],
};
const OTHERS = { asker: ofUser("vera") };
const OWN = { asker: ofUser("ada") };
const AT_ONCE = 40;

let server: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  server = await startNameServer({ known: KNOWN, silent: ".silent.org" });
  configure(readSettings({ NODE_ENV: "test", DNS_SERVERS: server.place }));
});
afterAll(() => server.close());

const silentNames = () => Array.from({ length: AT_ONCE }, (_, at) => `imap.e${at}.silent.org`);
const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

test("S74 mailDestination: somebody names many hosts of a zone that keeps silent, then another's host is found at once", async () => {
  const leaving = new AbortController();
  const asked = silentNames().map((host) =>
    mailDestination(host, 993, { ...OWN, gone: leaving.signal }).catch((error: unknown) => error),
  );
  const others = await msOf(async () => {
    expect((await mailDestination("mail.quill.org", 993, OTHERS)).address).toBe(PUBLIC);
  });
  // What the system looks up, such as the names of services of ours, does not wait either.
  const system = await msOf(() => lookup("localhost"));
  leaving.abort();
  const refused = await Promise.all(asked);
  expect([others < 1000, system < 1000]).toEqual([true, true]);
  expect(refused.every(isBusy)).toBe(true);
  // Few were asked at once, each for both families.
  expect(new Set(server.unanswered).size).toBeLessThanOrEqual(4);
});

test("S74 mailDestination: nobody waits any more, then the look-up ends and the next one has its turn", async () => {
  const gone = AbortSignal.timeout(100);
  const ended = msOf(() => mailDestination("imap.silent.org", 993, { ...OWN, gone }).catch(() => undefined));
  expect(await ended).toBeLessThan(1000);
  expect(await addressesOf("mail.quill.org", OWN)).toEqual([PUBLIC]);
});

test("mailDestination: no name server answers, then it is nobody's fault and said so within some seconds", async () => {
  const waited = await msOf(() =>
    expect(mailDestination("imap.silent.org", 993, OWN)).rejects.toSatisfy(
      (error) => isBusy(error) && /could not be looked up just now/.test(String(error)),
    ),
  );
  expect(waited).toBeLessThan(6500);
}, 10_000);

test("S74 mailNetwork.mxOf, srvOf: a zone keeps silent, then they end with whoever asked", async () => {
  const gone = AbortSignal.timeout(100);
  const waited = await msOf(() =>
    Promise.allSettled([
      mailNetwork.mxOf("silent.org", { ...OWN, gone }),
      mailNetwork.srvOf("_imaps._tcp.silent.org", { ...OWN, gone }),
    ]),
  );
  expect(waited).toBeLessThan(1000);
});

test.each(["mail.quill.org", "both.quill.org", "alias.quill.org", "MAIL.quill.org."])(
  "webDestination: %s leads to public addresses only, then the first of them is dialled",
  async (host) => {
    expect(await webDestination(host, OWN)).toMatchObject({ address: PUBLIC, servername: host });
  },
);

test.each(["inside.quill.org", "alias-inside.quill.org", "half.quill.org", "second.quill.org", "nowhere.quill.org"])(
  "webDestination: %s leads inside by one of its names, families or addresses, then nowhere is dialled",
  async (host) => {
    expect(await webDestination(host, OWN)).toBeNull();
  },
);

test("addressesOf: an alias of a host with both families, then all addresses are judged, those of IPv4 first", async () => {
  expect(await addressesOf("alias.quill.org", OWN)).toEqual([PUBLIC, "2606:4700::1111"]);
});

test("addressesOf: localhost and addresses, then no name server is asked", async () => {
  const asked = server.unanswered.length;
  expect(await addressesOf("localhost", OWN)).toContain("127.0.0.1");
  expect(await addressesOf("a.localhost", OWN)).toContain("127.0.0.1");
  expect(await addressesOf("192.0.2.7", OWN)).toEqual(["192.0.2.7"]);
  expect(await addressesOf("::1", OWN)).toEqual(["::1"]);
  expect(server.unanswered).toHaveLength(asked);
});

test("namesIn: a hosts file with comments and several names, then each name has its addresses", () => {
  const text =
    "# ours\n127.0.0.1\tlocalhost\n::1 localhost ip6-localhost # both\n10.0.0.5 Mail.Office.lan mail\nno line";
  expect([...namesIn(text)]).toEqual([
    ["localhost", ["127.0.0.1", "::1"]],
    ["ip6-localhost", ["::1"]],
    ["mail.office.lan", ["10.0.0.5"]],
    ["mail", ["10.0.0.5"]],
  ]);
});
