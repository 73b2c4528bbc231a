import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectManners } from "../support/browser/dialog-manners.ts";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aStage, expectNoAxeViolations, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";
import { AURINKO_CODE, startFakeAurinko } from "../support/mail/fake-aurinko.ts";
import { setUp } from "../support/server/product.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";

const EMAIL = "ines@quillfeather.invalid";

describe.skipIf(whyNoDovecot)("a mailbox", () => {
  let stage: Stage;
  let watched: Watched;
  let dovecot: Dovecot;
  let smtp: TestSmtp;
  let aurinko: Awaited<ReturnType<typeof startFakeAurinko>>;
  beforeAll(async () => {
    [dovecot, smtp, aurinko] = await Promise.all([startDovecot(), startSmtp(), startFakeAurinko()]);
    stage = await aStage({ MAIL_ALLOW_PRIVATE_HOSTS: "true", ...aurinko.environment });
    const [name = "", value = ""] = (await setUp(stage.product)).split("=");
    watched = await openPage(stage);
    await watched.page.context().addCookies([{ name, value, url: stage.product.url }]);
  });
  afterAll(async () => {
    await stage.close();
    await Promise.all([dovecot.close(), smtp.close(), aurinko.close()]);
  });

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const password = (page: Page) => page.getByRole("textbox", { name: "Password" });
  const servers = (page: Page, name: string) => page.getByRole("group", { name });

  test("a well-known address is recognised, and the page says what its provider wants", async () => {
    const { page } = watched;
    await page.goto("/email-settings");
    await page.getByLabel("Email address").fill("ines@gmail.com");
    await page.keyboard.press("Tab");
    await page.getByText("This is a Gmail mailbox").waitFor();
    await page.getByLabel("App password").waitFor();
    await expectNoAxeViolations(page);
  });

  test("a mistyped address is looked up anew once it is put right, and its servers stand in the settings", async () => {
    const { page } = watched;
    await page.getByLabel("Email address").fill("ines@gmail.invalid");
    await page.keyboard.press("Tab");
    await page.getByText("The servers of this address were not found").waitFor();
    await page.getByLabel("Email address").fill("ines@fastmail.com");
    await page.keyboard.press("Tab");
    await page.getByText("This is a Fastmail mailbox").waitFor();
    expect(await servers(page, "Reading mail").getByLabel("Server").inputValue()).toBe("imap.fastmail.com");
    expect(await servers(page, "Sending mail").getByLabel("User name").inputValue()).toBe("ines@fastmail.com");
  });

  test("an unknown address opens the server settings; what is wrong stands at its field, and what works is connected", async () => {
    const { page } = watched;
    await page.getByLabel("Email address").fill(EMAIL);
    await page.keyboard.press("Tab");
    await page.getByText("The servers of this address were not found").waitFor();
    await fillServer(page, "Reading mail", { port: dovecot.tlsPort, encryption: "Encrypted from the start" });
    await fillServer(page, "Sending mail", { port: smtp.port, encryption: "Encrypted from the start" });
    await page.getByLabel("Certificate of an authority").fill(dovecot.ca);
    await password(page).fill("secret");
    await page.keyboard.press("Enter");
    await page.getByText("does not begin encrypted").waitFor();
    const wrong = servers(page, "Sending mail").getByLabel("Encryption");
    expect(await wrong.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectNoAxeViolations(page);
    await wrong.selectOption("Encrypted after the greeting");
    await button(page, "Connect the mailbox").click();
    await page.getByText("Last checked").waitFor();
    await page.getByText(EMAIL, { exact: true }).waitFor();
    await expectNoAxeViolations(page);
  });

  test("S73: an owner's mailbox is the practice's to send from, and nobody's to read until they say so", async () => {
    const { page } = watched;
    const [send, read] = [page.getByLabel("My practice may send from it"), page.getByLabel("My practice may read it")];
    await send.waitFor();
    expect([await send.isChecked(), await read.isChecked()]).toEqual([true, false]);
    await read.click();
    await page.getByText("Saved who may use your mailbox").waitFor();
    await page.reload();
    await read.waitFor();
    expect([await send.isChecked(), await read.isChecked()]).toEqual([true, true]);
    await expectNoAxeViolations(page);
    if (process.env["PICTURES"]) await page.screenshot({ path: `${process.env["PICTURES"]}/mailbox.png` });
  });

  test("after a reload it is still connected; disconnecting asks first", async () => {
    const { page } = watched;
    await page.reload();
    await expectManners(page, {
      dialog: "ConnectedMailboxSection",
      opener: (on) => button(on, "Disconnect"),
      title: "Disconnect this mailbox",
      typed: "nothing",
    });
    await button(page, "Disconnect").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("heading", { name: "Connect your mailbox" }).waitFor();
  });

  test("signing in at the provider leads away and back; the same way back a second time connects nothing", async () => {
    const { page } = watched;
    let back = "";
    await page.route(`${aurinko.url}/**`, async (route) => {
      const asked = new URL(route.request().url()).searchParams;
      const answer = new URLSearchParams({ status: "success", code: AURINKO_CODE, state: asked.get("state") ?? "" });
      back = `/v1/auth/callback?${answer}`;
      await route.fulfill({ status: 302, headers: { location: stage.product.url + back } });
    });
    await button(page, "Sign in with Google").click();
    await page.getByRole("heading", { name: "Your mailbox is connected" }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole("link", { name: "Open email settings" }).click();
    await page.getByText("Signing in at Google").waitFor();
    await page.getByText("a mailbox connected in this way only sends").waitFor();
    await expectNoAxeViolations(page);
    if (process.env["PICTURES"]) await page.screenshot({ path: `${process.env["PICTURES"]}/sends-only.png` });
    await page.goto(back);
    await page.getByRole("heading", { name: "The mailbox was not connected" }).waitFor();
    await expectNoAxeViolations(page);
    // The browser itself notes a call that is refused.
    expect(watched.complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  interface Place {
    port: number;
    encryption: string;
  }

  async function fillServer(page: Page, name: string, { port, encryption }: Place) {
    const fields = servers(page, name);
    await fields.getByLabel("Encryption").selectOption(encryption);
    await fields.getByLabel("Server").fill("localhost");
    await fields.getByLabel("Port").fill(String(port));
    await fields.getByLabel("User name").fill(EMAIL);
  }
});
