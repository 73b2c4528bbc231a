import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "./browser.ts";
import { type Cookie, fillWithDemo, type Sample, sampleOf, signIn } from "./demo-sign-in.ts";
import { startProduct } from "./product-process.ts";
import { addressOf, axeFindings, isSignedIn, openContext, openRoute, settle, type View, VIEWS } from "./routes.ts";
import { routePaths } from "./route-paths.ts";
import { answerHelp } from "./run-command.ts";

answerHelp(`Usage: npm run screens -- [--out DIR] [--only=/clients]
Takes a picture of every route at 360 and 1280 px, light and dark, and says what the browser and axe complain about there.
  --out DIR      where the pictures go; "screens" where it is left out
  --only ROUTE   that route, and those below it`);

const { values } = parseArgs({ options: { out: { type: "string", default: "screens" }, only: { type: "string" } } });
const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });
execFileSync(process.execPath, [path.resolve(import.meta.dirname, "build-page.ts"), "--if-stale"], {
  stdio: "inherit",
});
const routes = routePaths().filter(
  (route) => !values.only || route === values.only || route.startsWith(`${values.only}/`),
);

const NOTHING: Sample = {
  clientId: "",
  sessionId: "",
  bookingId: "nothing-to-book-here-1234",
  formId: "",
  leadFormId: "",
  textId: "",
  formPath: "",
  leadFormPath: "",
  signPath: "",
};

const browser = await launchBrowser();
let complaintCount = 0;
try {
  // Setting up is possible only where no practice is yet.
  await withProduct({ isFilled: false }, (url) =>
    lookAt(
      routes.filter((route) => route === "/setup"),
      url,
    ),
  );
  await withProduct({ isFilled: true }, (url) =>
    lookAt(
      routes.filter((route) => route !== "/setup"),
      url,
    ),
  );
  console.log(`${routes.length} routes, ${complaintCount} complaints, pictures in ${out}`);
} finally {
  await browser.close();
}
process.exitCode = complaintCount === 0 ? 0 : 1;

async function withProduct({ isFilled }: { isFilled: boolean }, work: (url: string) => Promise<void>) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-screens-"));
  if (isFilled) await fillWithDemo(dataDir);
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    await work(product.url);
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function lookAt(some: string[], url: string) {
  const cookies = some.some((route) => isSignedIn(route) || /^\/(schedule-meeting|form|lead-form|sign)\//.test(route))
    ? await signIn(url)
    : [];
  const sample = cookies.length > 0 ? await sampleOf(url, cookies) : NOTHING;
  for (const route of some) {
    const found = await Promise.all(
      VIEWS.map((view) => lookOnce({ route, view, url, sample, cookies: isSignedIn(route) ? cookies : [] })),
    );
    const complaints = found.flat();
    complaintCount += complaints.length;
    console.log(`${complaints.length === 0 ? "clean" : `${complaints.length} complaints`}  ${route}`);
    for (const complaint of complaints) console.log(`    ${complaint}`);
  }
}

async function lookOnce({
  route,
  view,
  url,
  sample,
  cookies,
}: {
  route: string;
  view: View;
  url: string;
  sample: Sample;
  cookies: Cookie[];
}) {
  const context = await openContext(browser, view, cookies, url);
  const file = path.join(out, `${fileName(route)}.${view.width}.${view.scheme}.png`);
  const { page, complaints } = await openRoute(context, url + addressOf(route, sample));
  await settle(page);
  await page.screenshot({ path: file, fullPage: true });
  complaints.push(...(await axeFindings(page)));
  await context.close();
  return complaints.map((text) => `${view.width} ${view.scheme}: ${text}`);
}

function fileName(route: string): string {
  return route === "/" ? "root" : route.slice(1).replaceAll("/", "-").replaceAll("$", "");
}
