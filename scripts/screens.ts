// npm run screens -- --out DIR [--only=/clients]: a picture of every route, and what a browser complains about there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser, watchPage } from "./browser.ts";
import { fillWithDemo, sampleOf, signIn } from "./demo-sign-in.ts";
import { startProduct } from "./product-process.ts";

const WIDTHS = { 360: 740, 1280: 800 } as const;
const SCHEMES = ["light", "dark"] as const;
const ROUTE_TREE = path.resolve(import.meta.dirname, "../web/src/routeTree.gen.ts");
const SETTLE_MS = 350;
const SIGNED_OUT = new Set(["/", "/login", "/register", "/resetpassword", "/setup"]);
const PUBLIC = /^\/(form|lead-form|schedule-meeting|payment)\//;

const { values } = parseArgs({ options: { out: { type: "string", default: "screens" }, only: { type: "string" } } });
const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });

const emptyDir = mkdtempSync(path.join(tmpdir(), "evenhand-screens-"));
const demoDir = mkdtempSync(path.join(tmpdir(), "evenhand-screens-"));
const browser = await launchBrowser();
let complaintCount = 0;
try {
  await fillWithDemo(demoDir);
  const routes = routePaths().filter((route) => !values.only || route === values.only || route.startsWith(`${values.only}/`));
  await picture(routes.filter((route) => route === "/setup"), { dataDir: emptyDir, isSignedIn: () => false });
  await picture(routes.filter((route) => route !== "/setup"), { dataDir: demoDir, isSignedIn: (route) => !SIGNED_OUT.has(route) && !PUBLIC.test(route) });
  console.log(`${routes.length} routes, ${complaintCount} complaints, pictures in ${out}`);
} finally {
  await browser.close();
  for (const dir of [emptyDir, demoDir]) rmSync(dir, { recursive: true, force: true });
}
process.exitCode = complaintCount === 0 ? 0 : 1;

interface Setting {
  dataDir: string;
  isSignedIn: (route: string) => boolean;
}

async function picture(routes: string[], { dataDir, isSignedIn }: Setting) {
  if (routes.length === 0) return;
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    const cookies = isSignedIn("/dashboard") ? await signIn(product.url) : [];
    const clientId = cookies.length > 0 ? await sampleOf(product.url, cookies) : "";
    for (const route of routes) {
      const complaints: string[] = [];
      for (const scheme of SCHEMES) {
        for (const [width, height] of Object.entries(WIDTHS)) {
          const context = await openContext(browser, { width: Number(width), height, scheme });
          if (isSignedIn(route)) await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: product.url })));
          const file = path.join(out, `${fileName(route)}.${width}.${scheme}.png`);
          const found = await visit(context, product.url + addressOf(route, clientId), file);
          complaints.push(...found.map((text) => `${width} ${scheme}: ${text}`));
          await context.close();
        }
      }
      complaintCount += complaints.length;
      console.log(`${complaints.length === 0 ? "clean" : `${complaints.length} complaints`}  ${route}`);
      for (const complaint of complaints) console.log(`    ${complaint}`);
    }
  } finally {
    await product.stop();
  }
}

const openContext = (from: Browser, { width, height, scheme }: { width: number; height: number; scheme: "light" | "dark" }) =>
  from.newContext({ viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: width < 500 ? 2 : 1, reducedMotion: "reduce", locale: "en-GB", timezoneId: "Europe/London" });

async function visit(context: BrowserContext, address: string, file: string): Promise<string[]> {
  const page = await context.newPage();
  const complaints = await watchPage(page);
  await page.goto(address, { waitUntil: "load" });
  await page.locator("h1").first().waitFor({ timeout: 10_000 });
  // An event stream keeps the network busy for good, so wait for the picture to settle instead.
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: file, fullPage: true });
  const axe = await new AxeBuilder({ page }).analyze();
  for (const violation of axe.violations) {
    complaints.push(`axe ${violation.id}: ${violation.help} (${violation.nodes.map((node) => node.target.join(" ")).slice(0, 3).join("; ")})`);
  }
  return complaints;
}

/** Every route that the page has, as the generated route tree lists them. */
function routePaths(): string[] {
  const table = /interface FileRoutesByTo \{([^}]*)\}/.exec(readFileSync(ROUTE_TREE, "utf8"))?.[1] ?? "";
  return [...table.matchAll(/'([^']+)':|"([^"]+)":/g)].map((match) => match[1] ?? match[2] ?? "");
}

const addressOf = (route: string, clientId: string) =>
  route.replace("/clients/view/$id", `/clients/view/${clientId}`).replace(/\$(\w+)/g, "not-a-known-address-1234");

const fileName = (route: string) => (route === "/" ? "root" : route.slice(1).replaceAll("/", "-").replaceAll("$", ""));
