import { createServer, type Server } from "node:http";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectManners } from "../support/browser/dialog-manners.ts";
import { type Dovecot, DOVECOT_PASSWORD, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aStage, expectNoAxeViolations, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { aClient } from "../support/server/people.ts";
import { setUp } from "../support/server/product.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { serversOf } from "../support/mail/mailbox.ts";

const BOX = "ines@quillfeather.example.org";
const PRIYA = "Priya Nandakumar <priya@example.org>";

const aFigure = {
  headers: ['Content-Type: multipart/mixed; boundary="cut"'],
  text: [
    "--cut",
    "Content-Type: text/plain",
    "",
    "Here they are.",
    "--cut",
    'Content-Type: text/csv; name="figures.csv"',
    'Content-Disposition: attachment; filename="figures.csv"',
    "",
    "Scheme,Value",
    "--cut--",
  ].join("\n"),
};

/** A server of somebody else's that counts who comes. */
async function startCanary() {
  const asked: string[] = [];
  const server: Server = createServer((req, res) => {
    asked.push(req.url ?? "");
    res.setHeader("Content-Type", "image/gif").end(Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return { url, asked, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Everything that a mail could try on whoever reads it. */
const attacks = (canary: string): string => `
<html><head><base href="${canary}/base/"><meta http-equiv="refresh" content="0;url=${canary}/refresh">
<link rel="stylesheet" href="${canary}/link.css"><link rel="prefetch" href="${canary}/prefetch">
<style>@import url(${canary}/import.css); body { background: url(${canary}/style.gif) } @font-face { font-family: f; src: url(${canary}/f) }</style>
<script>top.hacked = 1; parent.hacked = 1; alert(1)</script></head>
<body background="${canary}/body.gif" onload="top.hacked = 1; alert(2)">
<p id="visible" style="background-image: url(${canary}/css.gif); color: red; position: fixed">Visible words</p>
<img src="${canary}/pixel.gif" width="1" height="1"><img src=x onerror="top.hacked = 1; alert(3)">
<img srcset="${canary}/srcset.gif 1x" alt="set"><picture><source srcset="${canary}/source.gif"><img alt="p"></picture>
<svg onload="top.hacked = 1"><script>alert(4)</script><image href="${canary}/svg.gif"/></svg>
<math><mtext><img src=x onerror="alert(5)"></mtext></math>
<iframe src="${canary}/frame"></iframe><iframe srcdoc="<script>top.hacked=1</script>"></iframe>
<object data="${canary}/object"></object><embed src="${canary}/embed"><applet code="x"></applet>
<video src="${canary}/video" poster="${canary}/poster"></video><audio src="${canary}/audio" autoplay></audio>
<form action="${canary}/form" method="post"><input name="a" value="b" autofocus onfocus="top.hacked=1"><button>Go</button></form>
<a id="script-link" href="javascript:top.hacked=1">one</a><a href="JaVa&#x0A;ScRiPt:alert(6)">two</a>
<a href="data:text/html,<script>alert(7)</script>">three</a><a href="vbscript:x">four</a>
<table background="${canary}/table.gif"><tr><td background="${canary}/td.gif">cell</td></tr></table>
<div style="width: expression(alert(8)); -moz-binding: url(${canary}/xbl)">old</div>
<noscript><p title="</noscript><img src=x onerror=alert(9)>"></noscript><template><img src="${canary}/template"></template>
<!--[if mso]><img src="${canary}/comment"><![endif]--><img src="data:image/svg+xml,<svg onload=alert(10)>">
</body></html>`;

describe.skipIf(whyNoDovecot)("the messages of a client", () => {
  let stage: Stage;
  let watched: Watched;
  let page: Page;
  let dovecot: Dovecot;
  let smtp: TestSmtp;
  let canary: Awaited<ReturnType<typeof startCanary>>;
  let address = "";
  const dialogs: string[] = [];
  beforeAll(async () => {
    [dovecot, smtp, canary] = await Promise.all([startDovecot(), startSmtp(), startCanary()]);
    stage = await aStage({ MAIL_ALLOW_PRIVATE_HOSTS: "true" });
    const cookie = await setUp(stage.product);
    const { url } = stage.product;
    const post = async (call: string, body: unknown): Promise<string> => {
      const headers = { "content-type": "application/json", origin: url, cookie };
      const response = await fetch(`${url}/trpc/${call}`, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${call}: ${await response.text()}`);
      return response.text();
    };
    const made = await post(
      "clients.create",
      aClient({ firstName: "Priya", lastName: "Nandakumar", email: "priya@example.org" }),
    );
    const id = /"id":"([^"]+)"/.exec(made)?.[1] ?? "";
    await post("mailboxes.connect", {
      email: BOX,
      password: DOVECOT_PASSWORD,
      ca: dovecot.ca,
      servers: serversOf(BOX, dovecot, smtp),
    });
    const html = ["Content-Type: text/html; charset=utf-8"];
    await layMails(dovecot, BOX, [
      aMail({
        from: PRIYA,
        to: BOX,
        subject: "About Tuesday",
        messageId: "<a@x>",
        text: "Can we meet later? See https://example.org/plan.",
      }),
      aMail({ from: PRIYA, to: BOX, subject: "Special offer", headers: html, text: attacks(canary.url) }),
      aMail({ from: PRIYA, to: BOX, subject: "The figures", ...aFigure }),
    ]);
    await layMails(
      dovecot,
      BOX,
      [
        aMail({
          from: BOX,
          to: PRIYA,
          subject: "Re: About Tuesday",
          headers: ["In-Reply-To: <a@x>", "References: <a@x>"],
          text: "Wednesday at ten?",
        }),
      ],
      { folder: "Sent" },
    );
    watched = await openPage(stage);
    page = watched.page;
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const [name = "", value = ""] = cookie.split("=");
    await page.context().addCookies([{ name, value, url }]);
    address = `/clients/view/${id}?tab=messages`;
  });
  afterAll(async () => {
    await stage.close();
    await Promise.all([dovecot.close(), smtp.close(), canary.close()]);
  });

  const conversation = (name: RegExp) =>
    page.getByRole("list", { name: "Conversations" }).getByRole("button", { name });
  const picture = async (name: string) => {
    const dir = process.env["PICTURES"];
    if (dir) await page.screenshot({ path: path.join(dir, `${name}.png`) });
  };
  const messageFrame = async (): Promise<Frame> => {
    const frame = await (await page.waitForSelector("iframe.message-frame")).contentFrame();
    if (!frame) throw new Error("there is no frame");
    await frame.getByText("Visible words").waitFor();
    return frame;
  };

  test("a conversation is folded, and opened mail by mail", async () => {
    await page.goto(address);
    await conversation(/About Tuesday/).click();
    await page.getByText("Wednesday at ten?").last().waitFor();
    await page.getByRole("button", { name: /Priya Nandakumar/, expanded: false }).click();
    await page.getByRole("link", { name: "https://example.org/plan" }).waitFor();
    await picture("messages");
    await expectNoAxeViolations(page);
  });

  test("of a mail full of traps only words are shown: nothing runs, nothing is loaded, nobody is asked anything", async () => {
    await conversation(/Special offer/).click();
    const frame = await messageFrame();
    await page.getByText("Pictures from other servers are not shown").waitFor();
    await page.waitForTimeout(1500);
    await picture("traps");
    expect(
      await frame
        .locator("script, svg, iframe, object, embed, form, base, link, video, audio, meta[http-equiv]")
        .count(),
    ).toBe(0);
    expect(await frame.locator("a[href^='javascript' i], a[href^='data' i], a[href^='vbscript' i]").count()).toBe(0);
    expect(canary.asked).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    expect(page.url()).toContain("tab=messages");
    expect(watched.complaints).toEqual([]);
    await expectNoAxeViolations(page);
  });

  test("when asked, its pictures are loaded, and nothing else", async () => {
    await page.getByRole("button", { name: "Show images" }).click();
    await messageFrame();
    await expect.poll(() => canary.asked).toContain("/pixel.gif");
    await page.waitForTimeout(1000);
    expect(canary.asked).toEqual(["/pixel.gif"]);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    expect(watched.complaints).toEqual([]);
  });

  test("an answer begins with the words it answers, to whoever wrote them", async () => {
    await conversation(/About Tuesday/).click();
    await page.getByRole("button", { name: /Priya Nandakumar/, expanded: false }).click();
    await page.getByRole("button", { name: "Reply" }).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Can we meet later?").waitFor();
    await picture("reply");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("an attachment is filed by a dialog with the manners of all others", async () => {
    await conversation(/The figures/).click();
    // The questions of this dialog are answered where its manners are looked at.
    page.removeAllListeners("dialog");
    await expectManners(page, {
      dialog: "FileAttachmentDialog",
      opener: (on) => on.getByRole("button", { name: "File with the client: figures.csv" }),
      title: "File with the client",
      typed: "asked",
    });
  });

  test("a mail that arrives while somebody looks appears by itself", async () => {
    await layMails(dovecot, BOX, [aMail({ from: PRIYA, to: BOX, subject: "Just now", text: "I am here" })], {
      at: new Date(),
    });
    await conversation(/Just now/).waitFor();
  });

  test("a search finds what was said, and says so where nothing was", async () => {
    const search = page.getByLabel("Search the messages");
    await search.fill("Wednesday");
    await conversation(/Special offer/).waitFor({ state: "detached" });
    await conversation(/About Tuesday/).waitFor();
    await search.fill("nobody ever said that");
    await page.getByText("No message says that").waitFor();
    await search.fill("");
  });

  test("on a phone the list gives way to the message, and comes back", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "All messages" }).click();
    await conversation(/About Tuesday/).waitFor();
    await picture("phone-list");
    await expectNoAxeViolations(page);
    await conversation(/About Tuesday/).click();
    await page.getByText("Wednesday at ten?").last().waitFor();
    await picture("phone-message");
    await expectNoAxeViolations(page);
    await page.getByRole("button", { name: "All messages" }).click();
    await conversation(/Special offer/).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("in the dark it is as readable", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await conversation(/Special offer/).click();
    await messageFrame();
    await picture("dark");
    await expectNoAxeViolations(page);
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("a mailbox that fails leaves what was written here, and says what to do", async () => {
    await dovecot.close();
    await page.goto(address);
    await picture("failing-before");
    await page.getByText("Your mailbox could not be read").waitFor({ timeout: 20_000 });
    await picture("failing");
    await expectNoAxeViolations(page);
    expect(watched.complaints).toEqual([]);
  });
});
