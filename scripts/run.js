// node scripts/run.js FILE [words...], on whatever Node the machine has: installs what is missing, then runs the file
// with the Node that was installed and the options of this one. Once everything is installed nothing is asked of the
// network.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const BIN = path.join(ROOT, "node_modules/.bin");
const INSTALLED = "node_modules/.pnpm-workspace-state-v1.json";
const INSTALLED_FROM = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "package.json",
  "server/package.json",
  "server/embedded-mongo/package.json",
  "shared/package.json",
  "web/package.json",
];

const timeOf = (file) => statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// What is installed for production, as in the image, is complete but for Node: the one that runs this is the right one.
const installed = path.join(ROOT, INSTALLED);
const isProduction = existsSync(installed) && JSON.parse(readFileSync(installed, "utf8")).settings?.dev === false;

// pnpm's own check takes longer than the whole start of the server.
if (!isProduction && !INSTALLED_FROM.every((file) => timeOf(file) < timeOf(INSTALLED))) {
  const { status } = spawnSync("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

const child = spawn(
  isProduction ? process.execPath : path.join(BIN, "node"),
  [...process.execArgv, ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: `${BIN}${path.delimiter}${process.env.PATH}`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(ROOT, "node_modules/.cache/node"),
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.once("exit", (code) => process.exit(code ?? 1));
