// A document is sent out from the client's files, both read and sign it on a phone, and the sealed one verifies.
import { newId } from "@app/server/core/ids";
import { SHARED } from "@app/shared/visibility";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aPracticeStage,
  expectNoAxeViolations,
  openPage,
  type PracticeStage,
  withDatabase,
} from "../support/browser/e2e.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { aPdf, parties } from "../support/server/signing.ts";

const PICTURES = process.env["SIGNING_PICTURES"];
const DAY = "2026-01-05";
const POLL_MS = 20_000;
let staged: PracticeStage;
beforeAll(async () => {
  staged = await aPracticeStage();
});
afterAll(() => staged.stage.close());

/** Two who have only to sign, and an agreement that both may read. */
async function aReadyCase() {
  const { theCase, p1, p2, first } = await aCase(staged.owner);
  const { api } = staged.owner;
  await api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  const days = { respondedOn: DAY, intakeDoneOn: DAY, miamOn: DAY, assessedOn: DAY, consentedOn: DAY };
  const each = Object.fromEntries(Object.entries(days).map(([name, value]) => [`parties.$[].${name}`, value]));
  await withDatabase(staged.stage, (database) =>
    database.collection<{ _id: string }>("cases").updateOne(
      { _id: theCase.id },
      {
        $set: {
          ...each,
          ...ledBy(staged.owner.ownerId),
          status: "ready",
          "parties.$[].status": "suitable",
          "parties.0.contactAgreement.isNamed": true,
        },
      },
    ),
  );
  const about = { id: newId(), clientId: null, caseId: theCase.id, name: "Agreement.pdf", visibility: SHARED };
  const { url } = staged.stage.product;
  const stored = await fetch(`${url}/files?upload=${encodeURIComponent(JSON.stringify(about))}`, {
    method: "POST",
    headers: { cookie: staged.owner.cookies(), origin: url, "content-type": "application/octet-stream" },
    body: new Uint8Array(aPdf()),
  });
  expect(stored.status).toBe(201);
  return { theCase, p1, p2, clientId: first.id };
}

/** For whoever wants to look at the page. */
async function look(page: Page, name: string): Promise<void> {
  await expectNoAxeViolations(page);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** A finger that goes up over the box scrolls the page on, as it does anywhere. */
async function scrollOver(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const scrolled = () => page.evaluate(() => scrollY);
  const before = await scrolled();
  const finger = await page.context().newCDPSession(page);
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  for (let up = 8; up <= 88; up += 8)
    await finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y - up }] });
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(scrolled).toBeGreaterThan(before);
}

async function signOnPhone(id: string, partyId: string, name: string, isDrawn: boolean) {
  const { address } = await staged.owner.api.signatures.showLink.mutate({ id, signerId: partyId });
  const phone = await openPage(staged.stage, { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { page } = phone;
  await page.goto(address);
  await page.getByRole("group", { name: "Page 1 of 2" }).waitFor();
  // Whoever scrolls down to the button has seen the end.
  await page.getByRole("button", { name: "Sign", exact: true }).dispatchEvent("click");
  await page.getByText("Read the document to its end first").waitFor();
  await page.getByRole("group", { name: "Page 2 of 2" }).evaluate((last) => last.scrollIntoView({ block: "end" }));
  await page.getByLabel("I have read the document to its end").check();
  if (isDrawn) {
    const pad = page.locator(".form-signature");
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (!box) throw new Error("there is no box to draw in");
    await scrollOver(page, { x: box.x + 60, y: box.y + box.height - 10 });
    expect(await pad.locator("path:not([d=''])").count()).toBe(0);
    await page.getByRole("button", { name: "Draw here" }).click();
    await pad.scrollIntoViewIfNeeded();
    const { x, y } = (await pad.boundingBox()) ?? box;
    await page.mouse.move(x + 20, y + 20);
    await page.mouse.down();
    for (const [toX, toY] of [
      [60, 80],
      [100, 20],
      [200, 70],
    ] as const)
      await page.mouse.move(x + toX, y + toY, { steps: 6 });
    await page.mouse.up();
  } else {
    await page.getByLabel("Your full name").fill(name);
    await page.getByLabel("I agree to sign this document electronically").check();
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText("Type the name by which you were asked to sign").waitFor();
    await page.getByLabel(/, and this is my name too$/).check();
  }
  await page.getByLabel("I agree to sign this document electronically").check();
  await look(page, `sign-${name}`);
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  return phone;
}

test("signing: from the client's files to a sealed PDF, on two phones; the case moves, and a flipped byte does not verify", async () => {
  const { theCase, p1, p2, clientId } = await aReadyCase();
  const { page } = staged;
  await page.goto(`/clients/view/${clientId}?tab=files&case=${theCase.id}`);
  await page.getByRole("button", { name: "More about Agreement.pdf" }).click();
  await page.getByRole("menuitem", { name: "Send for signature" }).click();
  const dialog = page.getByRole("dialog");
  for (const label of ["P1", "P2", "mediator"]) await dialog.getByLabel(`(${label})`).check();
  await dialog.getByLabel("One after the other").check();
  await dialog.getByRole("button", { name: /\(mediator\) signs earlier/ }).click();
  await look(page, "send-in-order");
  await dialog.getByLabel("One after the other").uncheck();
  await dialog.getByLabel("This is the agreement to mediate").check();
  await look(page, "send");
  await dialog.getByRole("radio").first().check();
  await dialog.getByRole("button", { name: "Send for signature" }).click();
  await page.getByRole("heading", { name: "Signatures" }).waitFor();
  await look(page, "sent-out");
  const [made] = (await staged.owner.api.signatures.list.query({ clientId, page: 1 })).items;
  if (!made) throw new Error("nothing was sent out");

  const first = await signOnPhone(made.id, p1.partyId, "Anna Łódź", false);
  await first.page.getByRole("heading", { name: "You have signed" }).waitFor();
  const second = await signOnPhone(made.id, p2.partyId, "Ben", true);
  await second.page.getByRole("heading", { name: "You have signed" }).waitFor();
  await signAsMediator(page);
  await second.page.reload();
  await second.page.getByRole("heading", { name: "Signed", exact: true }).waitFor();
  await look(second.page, "signed");
  const download = second.page.waitForEvent("download");
  await second.page.getByRole("link", { name: "Download the signed document" }).click();
  const sealed = await bytesOf(await (await download).createReadStream());
  const { parties } = await staged.owner.api.cases.get.query({ id: theCase.id });
  expect(parties.map(({ status }) => status)).toEqual(["agreement_signed", "agreement_signed"]);

  const flipped = Buffer.from(sealed);
  flipped[900] = (flipped[900] ?? 0) ^ 1;
  const check = await openPage(staged.stage, { viewport: { width: 360, height: 740 } });
  await check.page.goto("/verify");
  for (const [buffer, said] of [
    [sealed, "Genuine and unchanged"],
    [flipped, "Changed after it was sealed"],
    [Buffer.from(aPdf("Of somebody else")), "Not known here"],
  ] as const) {
    await check.page
      .getByLabel("PDF to check")
      .setInputFiles({ name: "signed.pdf", mimeType: "application/pdf", buffer });
    await check.page.getByRole("heading", { name: said }).waitFor();
    await look(check.page, said);
  }
  await page.reload();
  await page.getByText("Signed by all").waitFor();
  await look(page, "all-signed");
  await page.getByRole("button", { name: "What happened" }).click();
  await page.getByText("agreed and signed").first().waitFor();
  await look(page, "trail");
  for (const { complaints } of [staged.watched, first, second, check]) expect(complaints).toEqual([]);
});

/** Signed in, on the practice's own page. */
async function signAsMediator(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole("button", { name: "Read and sign" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("group", { name: "Page 1 of 2" }).waitFor();
  await dialog.getByRole("button", { name: "Go on to sign" }).click();
  await dialog.getByText("Read the document to its end first").waitFor();
  await dialog.getByRole("group", { name: "Page 2 of 2" }).evaluate((last) => last.scrollIntoView({ block: "end" }));
  await dialog.getByText("Read the document to its end first").waitFor({ state: "detached" });
  await look(page, "read-own");
  await dialog.getByRole("button", { name: "Go on to sign" }).click();
  await dialog.getByLabel("I have read the document to its end").check();
  await dialog.getByLabel("Your full name").fill("Mara Mediates");
  await dialog.getByLabel(/, and this is my name too$/).check();
  await dialog.getByLabel("I agree to sign this document electronically").check();
  await look(page, "sign-own");
  await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  await page.getByText("You have signed it").waitFor();
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("signing: whoever does not want to sign says so, and is not asked again", async () => {
  const { theCase, p1, clientId } = await aReadyCase();
  const { items } = await staged.owner.api.files.list.query({ clientId, page: 1, search: "" });
  const made = await staged.owner.api.signatures.create.mutate({
    id: newId(),
    fileId: items.find(({ caseId }) => caseId === theCase.id)?.id ?? "",
    signers: parties([p1.partyId]),
    isInOrder: false,
    isCodeAsked: false,
    isAgreement: false,
    confidences: null,
    days: 14,
    words: "Please have a look",
  });
  const { address } = await staged.owner.api.signatures.showLink.mutate({ id: made.id, signerId: p1.partyId });
  const { page, complaints } = await openPage(staged.stage, {
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
  });
  await page.goto(address);
  await page.getByText("Please have a look").waitFor();
  await page.getByRole("button", { name: "I do not want to sign" }).click();
  await page.getByLabel("Why not?").fill("Not these words");
  await look(page, "decline-dark");
  await page.getByRole("button", { name: "Tell the practice that I do not sign" }).click();
  await page.getByRole("heading", { name: "You have not signed" }).waitFor();
  await expect
    .poll(async () => (await staged.owner.api.signatures.get.query({ id: made.id })).status, { timeout: POLL_MS })
    .toBe("declined");
  expect(complaints).toEqual([]);
});

test("signing: with a code that is read out by phone, nothing is shown before it is typed", async () => {
  const { theCase, p1, clientId } = await aReadyCase();
  const { api } = staged.owner;
  const { items } = await api.files.list.query({ clientId, page: 1, search: "" });
  const fileId = items.find(({ caseId }) => caseId === theCase.id)?.id ?? "";
  const how = {
    isInOrder: false,
    isCodeAsked: true,
    isAgreement: false,
    confidences: null,
    days: 14,
    words: "",
  } as const;
  const made = await api.signatures.create.mutate({ id: newId(), fileId, signers: parties([p1.partyId]), ...how });
  const { address } = await api.signatures.showLink.mutate({ id: made.id, signerId: p1.partyId });

  const { page } = staged;
  await page.goto(`/clients/view/${clientId}?tab=files&case=${theCase.id}`);
  await page.getByRole("button", { name: /^Give a code for/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make a code" }).click();
  const code = await dialog.getByText(/^\d{3} \d{3}$/).textContent();
  await look(page, "code-made");
  await dialog.getByRole("button", { name: "Done" }).click();

  const phone = await openPage(staged.stage, { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await phone.page.goto(address);
  await phone.page.getByRole("heading", { name: "A document for you" }).waitFor();
  expect(await phone.page.getByText("Agreement").count()).toBe(0);
  await look(phone.page, "code-dark");
  await phone.page.getByLabel("Code of 6 digits").fill("12");
  await phone.page.getByRole("button", { name: "Go on" }).click();
  await phone.page.getByText("Type the 6 digits").waitFor();
  await phone.page.getByLabel("Code of 6 digits").fill(code ?? "");
  await phone.page.getByRole("button", { name: "Go on" }).click();
  await phone.page.getByRole("group", { name: "Page 1 of 2" }).waitFor();
  for (const { complaints } of [staged.watched, phone]) expect(complaints).toEqual([]);
});
