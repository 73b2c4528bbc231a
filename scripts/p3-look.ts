import { launchBrowser } from "./browser.ts";
import { sampleOf, signIn } from "./demo-sign-in.ts";
import { startProduct } from "./product-process.ts";
import { axeFindings, openContext, openRoute, settle, VIEWS } from "./routes.ts";

const [dataDir = "", only = "", which = ""] = process.argv.slice(2);
const product = await startProduct({ DATA_DIR: dataDir });
const browser = await launchBrowser();
const click = (name: string | RegExp) => async (page: any) => {
  await page.getByRole("button", { name }).first().click();
  await page.waitForTimeout(400);
};
try {
  const cookies = await signIn(product.url);
  const sample = await sampleOf(product.url, cookies);
  const tab = `/clients/view/${sample.clientId}?tab=payments`;
  const shots: Record<string, [string, ((page: any) => Promise<void>)?]> = {
    list: ["/payment-settings"],
    overdue: ["/payment-settings?due=overdue"],
    prices: ["/payment-settings?tab=prices"],
    newprice: ["/payment-settings?tab=prices&add=true"],
    settings: ["/payment-settings?tab=settings"],
    cards: ["/payment-settings?tab=cards"],
    newinvoice: ["/payment-settings?add=true"],
    client: [tab],
    open: [
      tab,
      async (page) => {
        await page
          .getByRole("button", { name: /^Open QM-/ })
          .first()
          .click();
        await page.waitForTimeout(500);
      },
    ],
    editor: [
      tab,
      async (page) => {
        await click("New invoice")(page);
        await page.getByLabel("Who pays").selectOption({ index: 1 });
        await click("From the price list")(page);
        await page.getByRole("menuitem").nth(1).click();
        await page.waitForTimeout(200);
      },
    ],
    split: [
      tab,
      async (page) => {
        await click("Split between payers")(page);
        await click("From the price list")(page);
        await page.getByRole("menuitem").nth(1).click();
        await click("Take these shares")(page);
        await page.waitForTimeout(300);
      },
    ],
    splitamounts: [
      tab,
      async (page) => {
        await click("Split between payers")(page);
        await click("From the price list")(page);
        await page.getByRole("menuitem").nth(1).click();
        await click("Take these shares")(page);
        await page.getByRole("radio", { name: "Amounts" }).check();
        await page.waitForTimeout(300);
      },
    ],
    record: [tab, click(/^Record payment/)],
    errors: [
      tab,
      async (page) => {
        await click("New invoice")(page);
        await click("Save draft")(page);
      },
    ],
    issue: [tab, click(/^Issue:/)],
    menu: [
      tab,
      async (page) => {
        await page
          .getByRole("button", { name: /^More for QM-/ })
          .first()
          .click();
        await page.waitForTimeout(300);
      },
    ],
    refund: [
      tab,
      async (page) => {
        await page
          .getByRole("button", { name: /^More for £/ })
          .first()
          .click();
        await page.getByRole("menuitem", { name: "Refund" }).click();
        await page.waitForTimeout(400);
      },
    ],
    credit: [
      tab,
      async (page) => {
        await page
          .getByRole("button", { name: /^More for QM-/ })
          .first()
          .click();
        await page.getByRole("menuitem", { name: "Credit", exact: true }).click();
        await page.waitForTimeout(400);
      },
    ],
    dashboard: ["/dashboard"],
  };
  for (const [name, [address, then]] of Object.entries(shots)) {
    if (only && !only.split(",").includes(name)) continue;
    for (const view of VIEWS) {
      if (which && !`${view.width}.${view.scheme}`.includes(which)) continue;
      const context = await openContext(browser, view, cookies, product.url);
      const { page, complaints } = await openRoute(context, product.url + address);
      await settle(page);
      try {
        await then?.(page);
        await settle(page);
      } catch (error) {
        complaints.push(String(error).slice(0, 300));
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      if (wide) complaints.push("scrolls sideways");
      await page.screenshot({ path: `/tmp/screens-p3/${name}.${view.width}.${view.scheme}.png`, fullPage: !then });
      complaints.push(...(await axeFindings(page)));
      await context.close();
      console.log(name, view.width, view.scheme, complaints.length ? complaints.join("\n    ") : "clean");
    }
  }
} finally {
  await browser.close();
  await product.stop();
}
