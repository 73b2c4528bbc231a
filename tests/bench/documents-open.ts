import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { newId } from "@app/server/core/ids";
import { launchBrowser } from "../../scripts/browser.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { openContext } from "../../scripts/routes.ts";
import { doc, heading, para, table } from "../support/documents/content.ts";
import { aPractice } from "../support/server/people.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 3;
const PAGES = 200;
const LIMIT_MS = 4000;
const VIEW = { width: 1280, height: 800, scheme: "light" } as const;
const SENTENCE = "Each of them was told that the mediator takes no side, and was encouraged to take legal advice. ";

/** Some fifty lines of text each, and a small table. */
const pageOf = (page: number) => [
  heading(2, `${page}. Background`),
  ...Array.from({ length: 6 }, () => para(SENTENCE.repeat(6))),
  table(["What", "How much"], [`Item of page ${page}`, "£1,000.00"]),
];

/** `documents.open`: the milliseconds from the address of a template of 200 pages until its last words can be read. */
export async function benchDocumentsOpen(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  const browser = await launchBrowser();
  try {
    const owner = await aPractice({ url: product.url, close: () => Promise.resolve() });
    const { id } = await owner.api.documentTemplates.create.mutate({ id: newId(), name: "Long", kind: "letter" });
    const content = doc(...Array.from({ length: PAGES }, (_, index) => pageOf(index + 1)).flat(), para("The end."));
    await owner.api.documentTemplates.save.mutate({ id, version: 0, name: "Long", content });
    const cookies = owner
      .cookies()
      .split("; ")
      .map((cookie) => ({ name: cookie.split("=")[0] ?? "", value: cookie.slice(cookie.indexOf("=") + 1) }));
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await openContext(browser, VIEW, cookies, product.url);
      const page = await context.newPage();
      const startedAt = performance.now();
      await page.goto(`${product.url}/settings/documents/edit/${id}`);
      await page.getByText("The end.", { exact: true }).waitFor();
      times.push(performance.now() - startedAt);
      await context.close();
    }
    return [{ name: "documents.open", value: median(times), unit: "ms", goal: "<=", limit: LIMIT_MS }];
  } finally {
    await browser.close();
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
