import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { aDemoStage, openPage, type Stage, withDatabase } from "../support/browser/e2e.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await aDemoStage();
});
afterAll(() => stage.close());

/** As the card payment provider would tell it: the status of every subscription there is. */
const setStatus = (status: string) =>
  withDatabase(stage, (database) =>
    database.collection("customers").updateMany({}, { $set: { "subscriptions.$[].status": status } }),
  );

test("losing the subscription moves both tabs to the account page without a reload, and regaining it lets them in", async () => {
  const { page: first, complaints } = await openPage(stage);
  const cookies = await signIn(stage.product.url);
  await first.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stage.product.url })));
  const second = await first.context().newPage();
  for (const page of [first, second]) {
    await page.goto("/clients");
    await page.getByRole("heading", { level: 1, name: /Clients/ }).waitFor();
    await page.evaluate(() => Reflect.set(window, "wasNotReloaded", true));
  }

  await setStatus("past_due");
  for (const page of [first, second]) {
    await page.waitForURL("**/account**");
    expect(await page.evaluate(() => Reflect.get(window, "wasNotReloaded"))).toBe(true);
  }
  await setStatus("active");
  await first.getByRole("navigation").getByRole("link", { name: "Clients" }).click();
  await first.getByRole("heading", { level: 1, name: /Clients/ }).waitFor();
  expect(complaints).toEqual([]);
});
