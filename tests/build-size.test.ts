import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Chunk, filesOf, pageRoutes } from "../scripts/page-routes.ts";

const DIST = path.resolve(import.meta.dirname, "../web/dist");
const MANIFEST = path.join(DIST, ".vite/manifest.json");
const KIB = 1024;
const BUDGETS = {
  public: { js: 150, css: 15 },
  staff: { js: 215, css: 40 },
} as const;

// npm run build writes it; npm test builds before it tests.
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(MANIFEST, "utf8"));
const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? "";

/** The chunks that a route file was split into. */
const chunksOf = (routeFile: string) =>
  Object.keys(manifest).filter((key) => key.split("?")[0] === `src/routes/${routeFile}`);

/** What a browser has to fetch before it can show a page: these chunks and all that they import. */
function initialSize(roots: readonly string[]): { js: number; css: number } {
  const { scripts, styles } = filesOf(manifest, roots);
  return { js: sizeOf(scripts), css: sizeOf(styles) };
}

function sizeOf(files: ReadonlySet<string>): number {
  const bytes = [...files].map((file) => gzipSync(readFileSync(path.join(DIST, file)), { level: 9 }).length);
  return bytes.reduce((sum, size) => sum + size, 0) / KIB;
}

const PUBLIC_PAGES = [
  ["_login.tsx", "_login/index.tsx"],
  ["_login.tsx", "_login/register.tsx"],
  ["_login.tsx", "_login/resetpassword.tsx"],
  ["_login.tsx", "_login/setup.tsx"],
  ["_public.tsx", "_public/form.$id.$userId.tsx"],
  ["_public.tsx", "_public/lead-form.$formId.$userId.tsx"],
  ["_public.tsx", "_public/schedule-meeting.$id.tsx"],
  ["_public.tsx", "_public/sign.$token.tsx"],
  ["_public.tsx", "_public/verify.tsx"],
  ["_public.tsx", "_public/payment.success.tsx"],
  ["_public.tsx", "_public/payment.cancelled.tsx"],
] as const;

test.each(PUBLIC_PAGES)("a public page: %s with %s, when it is opened, stays small", (...files) => {
  const roots = files.flatMap(chunksOf);
  expect(roots.length).toBeGreaterThanOrEqual(files.length);
  const { js, css } = initialSize([entry, ...roots]);
  expect(js).toBeLessThanOrEqual(BUDGETS.public.js);
  expect(css).toBeLessThanOrEqual(BUDGETS.public.css);
});

test("the signed-in shell: with the dashboard, when it is opened, stays within its budget", () => {
  const roots = ["_protected.tsx", "_protected/_subscribed.tsx", "_protected/_subscribed/dashboard.tsx"].flatMap(
    chunksOf,
  );
  const { js, css } = initialSize([entry, ...roots]);
  expect(js).toBeLessThanOrEqual(BUDGETS.staff.js);
  expect(css).toBeLessThanOrEqual(BUDGETS.staff.css);
});

test("the document of a route: for each that there is, it names pieces of its own, and no others ask who is signed in", () => {
  const routes = pageRoutes(manifest);
  for (const { path: at, scripts } of routes) expect([at, scripts.length]).not.toEqual([at, 0]);
  const isPublic = /^\/($|form|lead-form|login|payment\/|register|resetpassword|schedule-meeting|setup|sign\/|verify)/;
  expect(routes.filter(({ isForUsers }) => !isForUsers).map(({ path: at }) => at)).toEqual(
    routes.map(({ path: at }) => at).filter((at) => isPublic.test(at)),
  );
});

test("the list of clients: when it is opened, then what draws it comes in few files", () => {
  const { scripts } = pageRoutes(manifest).find(({ path: at }) => at === "/clients") ?? { scripts: [] };
  expect(scripts.length).toBeLessThanOrEqual(20);
});
