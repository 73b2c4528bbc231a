import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { pageRoutes } from "./page-routes.ts";
import { answerHelp } from "./run-command.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const WEB = path.join(ROOT, "web");
const DIST = path.join(WEB, "dist");
const STAMP = path.join(DIST, ".built-from");
/** What the server reads to know which paths are pages, and what they need. */
const ROUTES = path.join(DIST, "routes.json");
const MANIFEST = path.join(DIST, ".vite/manifest.json");
const SOURCES = [
  "web/src/**",
  "web/public/**",
  "web/*.{ts,html,json}",
  "shared/src/**",
  "pnpm-lock.yaml",
  "scripts/{build-page,page-routes,route-paths}.ts",
];
const COMPRESSED = new Set([".js", ".css", ".svg"]);
const COMPRESSED_MIN_BYTES = 512;

const USAGE = `Usage: npm run build [-- --if-stale]
Builds the page into web/dist, with a compressed copy beside each file; with --if-stale only when a source changed.`;

if (import.meta.main) {
  answerHelp(USAGE);
  await buildPage({ ifStale: process.argv.includes("--if-stale") });
}

export async function buildPage({ ifStale }: { ifStale: boolean }): Promise<void> {
  if (ifStale && existsSync(STAMP) && readFileSync(STAMP, "utf8") === sourceHash()) return;
  console.log("Building the page, once: it takes a few seconds.");
  rmSync(STAMP, { force: true });
  await build();
  writeFileSync(ROUTES, JSON.stringify(pageRoutes(JSON.parse(readFileSync(MANIFEST, "utf8")))));
  await compressAll();
  writeFileSync(STAMP, sourceHash());
}

/** A fingerprint of everything that the page is made of. */
function sourceHash(): string {
  const hash = createHash("sha256");
  for (const name of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const file = path.join(ROOT, name);
    if (!statSync(file).isFile()) continue;
    hash.update(name).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

async function build(): Promise<void> {
  const vite = path.join(WEB, "node_modules/vite/bin/vite.js");
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: WEB,
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  if (code === 0) return;
  console.error("The page could not be built; the reason stands above.");
  process.exit(1);
}

async function compressAll(): Promise<void> {
  const names = readdirSync(DIST, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => path.join(DIST, name)).filter((file) => COMPRESSED.has(path.extname(file)));
  await Promise.all(files.map(compress));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < COMPRESSED_MIN_BYTES) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all([
    promisify(brotliCompress)(content, quality).then((bytes) => writeFile(`${file}.br`, bytes)),
    promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ]);
}
