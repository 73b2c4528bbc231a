import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { type Dovecot, DOVECOT_PASSWORD, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aDemoStage, openPage, type Stage } from "../support/browser/e2e.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { serversOf } from "../support/mail/mailbox.ts";

const CSV = "value,label\npriya@example.org,Priya Shah\nnobody,Nobody\nowen@example.org,Owen Castell\n";

const BOX = "ines@quillfeather.example.org";

describe.skipIf(whyNoDovecot)("a mailing", () => {
  let stage: Stage;
  let smtp: TestSmtp;
  let dovecot: Dovecot;
  let cookies: Awaited<ReturnType<typeof signIn>>;
  beforeAll(async () => {
    [dovecot, smtp] = await Promise.all([startDovecot(), startSmtp()]);
    stage = await aDemoStage({ MAIL_ALLOW_PRIVATE_HOSTS: "true" });
    cookies = await signIn(stage.product.url);
  });
  afterAll(async () => {
    await stage.close();
    await smtp.close();
    await dovecot.close();
  });

  async function connect(): Promise<void> {
    const { url } = stage.product;
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const response = await fetch(`${url}/trpc/mailboxes.connect`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, cookie },
      body: JSON.stringify({
        email: BOX,
        password: DOVECOT_PASSWORD,
        ca: dovecot.ca,
        servers: serversOf(BOX, dovecot, smtp),
      }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("data")]);
  }

  test("a list is written to, everybody who can get it gets a mail of their own, and one of them leaves for good", async () => {
    const { page, complaints } = await openPage(stage);
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stage.product.url })));
    await page.goto("/email-settings?tab=mailings");
    await page.getByRole("button", { name: "Write to many" }).click();
    await page.getByRole("button", { name: "See who gets it" }).click();
    await page.getByText("Choose who gets it").waitFor();
    await page.getByLabel("To", { exact: true }).selectOption("A list of addresses (CSV)");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file" }).click();
    await (await chooser).setFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) });
    await page.getByLabel("Subject").fill("We move in March");
    await page.getByRole("textbox", { name: "Text of the mail" }).fill("Hello ");
    await page.getByRole("button", { name: "Put in a field" }).click();
    await page.getByRole("menuitem", { name: /^First name/ }).click();
    await page.getByLabel("How fast").selectOption("As fast as the mail server takes them");
    await page.getByRole("button", { name: "See who gets it" }).click();
    await page.getByText("This is no email address: correct it in the list.").waitFor();
    await page.getByText("A mailing leaves by a connected mailbox only").waitFor();
    expect(await page.getByRole("button", { name: "Send to 2 people" }).isDisabled()).toBe(true);
    await connect();
    await page.reload();
    await page.getByText(`Leaves from ${BOX}`).waitFor();
    expect(smtp.received).toEqual([]);
    await page.getByRole("button", { name: "Send to 2 people" }).click();
    await page.getByText("2 sent, 1 left out").waitFor();
    expect(smtp.received.map(({ to }) => to.join()).toSorted()).toEqual(["owen@example.org", "priya@example.org"]);

    const mail = smtp.received.find(({ to }) => to.includes("priya@example.org"));
    expect(mail?.source).toContain("Hello Priya");
    const link = /List-Unsubscribe:\s+<([^>]+)>/.exec(mail?.source ?? "")?.[1] ?? "";
    await page.goto(new URL(link).pathname);
    await page.getByRole("button", { name: "Stop mailings" }).click();
    await page.getByRole("heading", { name: "You get no more mailings" }).waitFor();
    await page.goto("/email-settings?tab=mailings");
    await page.getByRole("cell", { name: "priya@example.org" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
