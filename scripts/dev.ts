// Server and page with hot reload; either ending ends both.
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
const WEB = path.join(ROOT, "web");
const environment = { ...process.env, NODE_ENV: "development" };

const run = (args: string[], cwd: string): ChildProcess =>
  spawn(process.execPath, args, { cwd, stdio: "inherit", env: environment });

const children = [
  run(["--watch", "--watch-preserve-output", "server/src/main.ts"], ROOT),
  run([path.join(WEB, "node_modules/vite/bin/vite.js")], WEB),
];

let isEnding = false;
function endAll(exitCode: number): void {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = exitCode;
  for (const child of children) child.kill("SIGTERM");
}

for (const child of children) child.once("exit", (code) => endAll(code ?? 1));
process.on("SIGINT", () => endAll(0));
process.on("SIGTERM", () => endAll(0));
