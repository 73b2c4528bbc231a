import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = path.resolve(import.meta.dirname, "../web/dist");
const MANIFEST = path.join(DIST, ".vite/manifest.json");
const KIB = 1024;
const BUDGETS = {
  public: { js: 140, css: 15 },
  staff: { js: 215, css: 40 },
} as const;

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  isEntry?: boolean;
}

// npm run build writes it; npm test builds before it tests.
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(MANIFEST, "utf8"));
const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? "";

/** The chunks that a route file was split into. */
const chunksOf = (routeFile: string) =>
  Object.keys(manifest).filter((key) => key.split("?")[0] === `src/routes/${routeFile}`);

/** What a browser has to fetch before it can show a page: these chunks and all that they import. */
function initialSize(roots: readonly string[]): { js: number; css: number } {
  const seen = new Set<string>();
  const files = { js: new Set<string>(), css: new Set<string>() };
  const add = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    files.js.add(chunk.file);
    for (const css of chunk.css ?? []) files.css.add(css);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const root of roots) add(root);
  return { js: sizeOf(files.js), css: sizeOf(files.css) };
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
