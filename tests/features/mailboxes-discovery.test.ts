import { parseAutoconfig } from "@app/server/features/mailboxes/autoconfig";
import { findServers, type Network } from "@app/server/features/mailboxes/discovery";
import { mailNetwork } from "@app/server/features/mailboxes/mail-network";
import { configure, readSettings } from "@app/server/core/settings";
import { beforeAll, describe, expect, test, vi } from "vitest";

const EMAIL = "ines@quillfeather.example";
const ASKER = { group: "practice", one: "ines" };

const away = () => Promise.reject(new Error("no network"));
const offline: Network = { textAt: away, mxOf: away, srvOf: away, answers: away };
/** A network that answers, and knows nothing but this. */
const online = (known: Partial<Network>): Network => ({
  textAt: async () => null,
  mxOf: async () => [],
  srvOf: async () => [],
  answers: async () => false,
  ...known,
});

const aConfig = ({
  imap = "imap.host.example",
  smtp = "smtp.host.example",
  user = "%EMAILADDRESS%",
  socket = "SSL",
} = {}) =>
  `
<?xml version="1.0"?>
<clientConfig version="1.1"><emailProvider id="host.example"><domain>quillfeather.example</domain>
<displayName>Host &amp; Sons</displayName>
<incomingServer type="pop3"><hostname>pop.host.example</hostname><port>995</port><socketType>SSL</socketType><username>x</username></incomingServer>
<incomingServer type="imap"><hostname>${imap}</hostname><port>993</port><socketType>${socket}</socketType><username>${user}</username><authentication>password-cleartext</authentication></incomingServer>
<outgoingServer type="smtp"><hostname>${smtp}</hostname><port>587</port><socketType>STARTTLS</socketType><username>${user}</username><authentication>password-cleartext</authentication></outgoingServer>
</emailProvider></clientConfig>`.trim();

describe("findServers", () => {
  test("findServers: a well-known provider needs no network, and says what one has to know", async () => {
    const gmail = await findServers("ines@gmail.com", offline, ASKER);
    expect(gmail).toMatchObject({ source: "known", providerName: "Gmail", signIn: null, notAsked: "" });
    expect(gmail.servers?.imap).toEqual({ host: "imap.gmail.com", port: 993, secure: true, user: "ines@gmail.com" });
    expect(gmail.advice).toMatchObject({
      text: expect.stringContaining("app password"),
      url: expect.stringMatching(/^https:/),
    });
  });

  test.each([
    ["hotmail.co.uk", { signIn: "Office365", advice: { text: expect.stringContaining("signing in at Microsoft") } }],
    ["proton.me", { servers: null, advice: { text: expect.stringContaining("Proton Bridge") } }],
    ["icloud.com", { advice: { text: expect.stringContaining("app password") } }],
  ])("findServers: %s is known with what it needs", async (domain, expected) => {
    expect(await findServers(`ines@${domain}`, offline, ASKER)).toMatchObject(expected);
  });

  test("findServers: without a network an unknown domain is not guessed at, and the page is told why", async () => {
    const nothing = await findServers(EMAIL, offline, ASKER);
    expect(nothing).toMatchObject({
      servers: null,
      source: null,
      notAsked: expect.stringContaining("Nothing could be looked up"),
    });
  });

  test("findServers: with a network and no answer anywhere nothing is claimed", async () => {
    expect(await findServers(EMAIL, online({}), ASKER)).toMatchObject({ servers: null, source: null, notAsked: "" });
  });

  test.each<[string, Partial<Network>, object]>([
    [
      "what the domain itself publishes",
      { textAt: async (url) => (url.startsWith("https://autoconfig.quillfeather.example/") ? aConfig() : null) },
      {
        source: "provider",
        servers: { imap: { host: "imap.host.example", user: EMAIL }, smtp: { port: 587, secure: false } },
      },
    ],
    [
      "Mozilla's directory",
      {
        textAt: async (url) =>
          url === "https://autoconfig.thunderbird.net/v1.1/quillfeather.example" ? aConfig() : null,
      },
      { source: "directory", providerName: "Host & Sons" },
    ],
    [
      "the provider that takes the domain's mail",
      { mxOf: async () => ["aspmx.l.google.com"] },
      { source: "known", providerName: "Gmail", servers: { imap: { user: EMAIL } } },
    ],
    [
      "what the host of the domain's mail publishes",
      {
        mxOf: async () => ["mx1.bighost.example"],
        textAt: async (url) => (url.startsWith("https://autoconfig.bighost.example/") ? aConfig() : null),
      },
      { source: "dns" },
    ],
    [
      "the domain's own records",
      {
        srvOf: async (name) =>
          name.startsWith("_imaps.")
            ? [{ host: "a.example", port: 993 }]
            : name.startsWith("_submission.")
              ? [{ host: "b.example", port: 587 }]
              : [],
      },
      {
        source: "dns",
        servers: { imap: { host: "a.example", secure: true }, smtp: { host: "b.example", secure: false } },
      },
    ],
    [
      "the usual names, where something answers there",
      { answers: async (host, port) => `${host}:${port}` === "mail.quillfeather.example:993" || port === 587 },
      {
        source: "guess",
        servers: {
          imap: { host: "mail.quillfeather.example" },
          smtp: { host: "smtp.quillfeather.example", port: 587 },
        },
      },
    ],
  ])("findServers: %s is used, and the answer says so", async (_what, known, expected) => {
    expect(await findServers(EMAIL, online(known), ASKER)).toMatchObject(expected);
  });

  test("findServers: a network that hangs ends after eight seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const hanging = () => new Promise<never>(() => undefined);
      const startedAt = performance.now();
      const asked = findServers(EMAIL, { textAt: hanging, mxOf: hanging, srvOf: hanging, answers: hanging }, ASKER);
      await vi.runAllTimersAsync();
      expect((await asked).notAsked).toContain("Nothing could be looked up");
      expect(performance.now() - startedAt).toBeLessThanOrEqual(8000);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("parseAutoconfig", () => {
  test("parseAutoconfig: encrypted servers alone are taken, with the user name filled in", () => {
    expect(parseAutoconfig(aConfig({ user: "%EMAILLOCALPART%" }), EMAIL)?.imap.user).toBe("ines");
    expect(parseAutoconfig(aConfig({ imap: "imap.%EMAILDOMAIN%" }), EMAIL)?.imap.host).toBe(
      "imap.quillfeather.example",
    );
    expect(parseAutoconfig(aConfig({ socket: "plain" }), EMAIL)).toBeNull();
  });

  test.each([
    ["a page of a web server", "<!doctype html><html><body>Hello</body></html>"],
    ["nothing", ""],
    ["half a text", aConfig().slice(0, 300)],
    [
      "a text that multiplies itself",
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><clientConfig>&b;</clientConfig>`,
    ],
  ])("parseAutoconfig: %s is nothing", (_what, xml) => {
    expect(parseAutoconfig(xml, EMAIL)).toBeNull();
  });
});

describe("mailNetwork", () => {
  beforeAll(() => configure(readSettings({ NODE_ENV: "test" })));

  test.each([
    "https://127.0.0.1/mail/config-v1.1.xml",
    "https://localhost/x",
    "https://[::1]/x",
    "https://169.254.169.254/latest",
  ])("mailNetwork.textAt: %s is not asked", async (url) => {
    await expect(mailNetwork.textAt(url, { asker: ASKER })).rejects.toThrow(/is no public host/);
  });
});
