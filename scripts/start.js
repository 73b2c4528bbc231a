// npm start, on whatever Node the machine has: installs what is missing, then hands over to the Node that was installed.
import { spawn, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const INSTALLED = "node_modules/.pnpm-workspace-state-v1.json";
const INSTALLED_FROM = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "package.json",
  "server/package.json",
  "shared/package.json",
  "web/package.json",
];
const NODE = path.join(ROOT, "node_modules/.bin/node");

const timeOf = (file) => statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// pnpm's own check takes longer than the whole start of the server.
const isInstalled = INSTALLED_FROM.every((file) => timeOf(file) < timeOf(INSTALLED));
if (!isInstalled) runOrExit("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile"]);
runOrExit(NODE, ["scripts/build-page.ts", "--if-stale"]);

const server = spawn(NODE, ["server/src/main.ts"], {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/node") },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.once("exit", (code) => process.exit(code ?? 1));

function runOrExit(command, words) {
  const { status } = spawnSync(command, words, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
