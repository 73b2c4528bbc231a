import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { browserPath } from "../../scripts/browser.ts";
import { fillWithDemo, sampleOf, signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";
import { type Figure, median } from "./figure.ts";

const ROUNDS = 3;
const PAGES = ["form", "leadForm", "booking"] as const;
export const LIGHTHOUSE = PAGES.flatMap((page) => [`lighthouse.${page}`, `lighthouse.${page}.accessibility`]);

const score = z.object({ score: z.number() });
const reportSchema = z.object({
  categories: z.object({ performance: score, accessibility: score }),
  audits: z.record(z.string(), z.object({ title: z.string(), score: z.number().nullable() })),
});

/**
 * What Lighthouse gives the three pages that people outside see, as on a phone with a slow line. It is not installed
 * with the rest: LIGHTHOUSE_DIR says where it is.
 */
export async function benchLighthouse(names: readonly string[]): Promise<Figure[]> {
  const cli = lighthouseCli();
  if (cli === null) {
    console.error(
      "lighthouse.* is left out: Lighthouse is not installed. npm install --prefix DIR lighthouse, then set LIGHTHOUSE_DIR=DIR.",
    );
    return [];
  }
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  try {
    await fillWithDemo(dir);
    const product = await startProduct({ DATA_DIR: dir });
    try {
      const { formPath, leadFormPath, bookingId } = await sampleOf(product.url, await signIn(product.url));
      const paths = { form: formPath, leadForm: leadFormPath, booking: `/schedule-meeting/${bookingId}` };
      const chosen = PAGES.filter((page) => names.some((name) => name.startsWith(`lighthouse.${page}`)));
      const environment = { ...process.env, CHROME_PATH: await browserPath() };
      return chosen.flatMap((page) => figuresOf(page, () => look(cli, product.url + paths[page], environment)));
    } finally {
      await product.stop();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function lighthouseCli(): string | null {
  const from = createRequire(path.resolve(process.env["LIGHTHOUSE_DIR"] ?? ".", "package.json"));
  try {
    return path.resolve(path.dirname(from.resolve("lighthouse/package.json")), "cli/index.js");
  } catch {
    return null;
  }
}

type Report = z.infer<typeof reportSchema>;

function look(cli: string, url: string, environment: NodeJS.ProcessEnv): Report {
  const flags = ["--quiet", "--output=json", "--only-categories=performance,accessibility"];
  const chrome = "--chrome-flags=--headless --no-sandbox --disable-dev-shm-usage --disable-gpu";
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, url, ...flags, chrome], {
    env: environment,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`Lighthouse ended with ${String(status)}: ${stderr.slice(-1000)}`);
  return reportSchema.parse(JSON.parse(stdout));
}

function figuresOf(page: string, lookOnce: () => Report): Figure[] {
  const reports = Array.from({ length: ROUNDS }, lookOnce);
  const of = (category: keyof Report["categories"]) =>
    median(reports.map(({ categories }) => Math.round(categories[category].score * 100)));
  const worst = Object.values(reports[0]?.audits ?? {}).filter((audit) => audit.score !== null && audit.score < 0.9);
  for (const audit of worst) console.error(`${page}: ${audit.title} (${String(audit.score)})`);
  return [
    { name: `lighthouse.${page}`, value: of("performance"), unit: "of 100", goal: ">=", limit: 95 },
    { name: `lighthouse.${page}.accessibility`, value: of("accessibility"), unit: "of 100", goal: ">=", limit: 100 },
  ];
}
