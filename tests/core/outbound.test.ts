import { createServer } from "node:net";
import { FieldError } from "@app/server/core/errors";
import { ofUser } from "@app/server/core/fair-turns";
import { isPublic, mailDestination, webDestination } from "@app/server/core/outbound";
import { configure, readSettings } from "@app/server/core/settings";
import { openImap, openSmtp } from "@app/server/features/mailboxes/mailbox-access.service";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";

const ASKING = { asker: ofUser("ines") };
beforeEach(() => configure(readSettings({ NODE_ENV: "test" })));

const INSIDE = [
  ..."127.0.0.1 127.1 2130706433 0x7f.1 0x7f000001 017700000001 0.0.0.0 localhost localhost. LOCALHOST".split(" "),
  ..."10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 224.0.0.1 255.255.255.255".split(" "),
  ..."::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a00:1 fe80::1 fc00::1 fd00::1 ff02::1".split(" "),
  ..."64:ff9b::7f00:1 2002:7f00:1:: 2001::1 ::127.0.0.1".split(" "),
  ..."::7f00:1 ::a00:1 ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 64:ff9b::127.0.0.1 64:ff9b:1::a00:1".split(" "),
  ..."2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 2001:db8::1 3fff::1 100::1 5f00::1".split(" "),
  ..."fec0::1 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:a00:1 ::ffff:0:0 4000::1 192.88.99.1 192.0.0.8".split(" "),
];

async function refusalAt(host: string, port: number): Promise<string> {
  const error: unknown = await mailDestination(host, port, ASKING).catch((reason: unknown) => reason);
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof FieldError)) throw new Error(`${host} was not refused`);
  expect(cause.field).toBe("host");
  return cause.message;
}

test.each(INSIDE)("mailDestination: %s is refused in the words of a host that does not exist", async (host) => {
  const missing = await refusalAt("nowhere.invalid", 993);
  expect(await refusalAt(host, 993)).toBe(missing.replace("nowhere.invalid", host));
});

test.each([22, 80, 443, 3306, 6379, 8080, 27_017])(
  "mailDestination: port %i is no port of mail, and refused alike",
  async (port) => {
    const missing = await refusalAt("nowhere.invalid", 993);
    expect(await refusalAt("192.0.2.1", port)).toBe(
      missing.replace("nowhere.invalid, port 993", `192.0.2.1, port ${port}`),
    );
  },
);

test("mailDestination: an installation that uses servers of its own network may", async () => {
  configure(readSettings({ NODE_ENV: "test", MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  expect(await mailDestination("127.0.0.1", 3143, ASKING)).toEqual({
    address: "127.0.0.1",
    port: 3143,
    servername: undefined,
    isLoopback: true,
  });
  expect(await mailDestination("localhost", 993, ASKING)).toMatchObject({ servername: "localhost", isLoopback: true });
});

test("webDestination: a page inside this machine's network is nowhere", async () => {
  for (const host of INSIDE) expect(await webDestination(host, ASKING)).toBeNull();
});

test("openImap, openSmtp: nothing inside is ever dialled", async () => {
  let dialled = 0;
  const server = createServer((socket) => {
    dialled += 1;
    socket.destroy();
  });
  // The one port of mail that needs no privilege; where something else holds it, that is not dialled either.
  await new Promise((resolve) => server.once("error", resolve).listen(2525, "127.0.0.1", () => resolve(null)));
  for (const host of ["127.0.0.1", "localhost", "::ffff:127.0.0.1", "2130706433"]) {
    const place = { host, port: 2525, secure: false, user: "x", password: "x" };
    await expect(openImap({ userId: "x", imap: place, ca: undefined })).rejects.toThrow(/no mail server to reach/);
    await expect(openSmtp({ userId: "x", smtp: place, ca: undefined })).rejects.toThrow(/no mail server to reach/);
  }
  await new Promise((resolve) => server.close(resolve));
  expect(dialled).toBe(0);
});

test.each(["8.8.8.8", "192.0.3.1", "2a00:1450:4009:80b::2003", "2606:4700::6810:84e5", "::ffff:8.8.8.8"])(
  "isPublic: %s is",
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test("isPublic: no private address of IPv4 becomes public by being wrapped in IPv6", () => {
  const inside = fc.constantFrom([10], [127], [192, 168], [169, 254], [172, 16]);
  fc.assert(
    fc.property(inside, fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }), (start, rest) => {
      const v4 = [...start, ...rest].slice(0, 4).join(".");
      const wrapped = ["::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "2a00:1450::5efe:"].map(
        (start) => start + v4,
      );
      expect([v4, ...wrapped].filter(isPublic)).toEqual([]);
    }),
  );
});
