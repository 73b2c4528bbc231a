import { existsSync } from "node:fs";
import { type Browser, type BrowserServer, chromium, type Page } from "playwright-core";

const INSTALLED = [
  // Draws the same, and has no windows, menus and start pages of its own to draw beside it.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const QUIET = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The system's Chromium, CHROMIUM_PATH, or the one that @sparticuz/chromium brings. */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await whichOne());

/** The same for several processes, which connect to it. */
export const serveBrowser = async (): Promise<BrowserServer> =>
  chromium.launchServer({ ...(await whichOne()), host: "127.0.0.1" });

/** Where it is. */
export const browserPath = async (): Promise<string> => (await whichOne()).executablePath;

async function whichOne() {
  const installed = [process.env["CHROMIUM_PATH"] ?? "", ...INSTALLED].find((file) => file && existsSync(file));
  const carried = installed ? undefined : (await import("@sparticuz/chromium")).default;
  const executablePath = installed ?? (await carried?.executablePath());
  if (!executablePath) throw new Error("no Chromium: install one, or set CHROMIUM_PATH");
  return { executablePath, args: [...QUIET, ...(carried?.args ?? [])] };
}

/** Collects what a page must never have: console errors, uncaught errors and refusals by the content security policy. */
export async function watchPage(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  await page.exposeFunction("reportViolation", (text: string) => complaints.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const report = Reflect.get(window, "reportViolation");
      if (typeof report === "function") report(`${event.violatedDirective} refused ${event.blockedURI}`);
    });
  });
  return complaints;
}
