import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { answerHelp } from "./run-command.ts";

answerHelp(`Usage: npm run dev
Runs server and page with hot reload, at the address it prints; either ending ends both.`);

const ROOT = path.resolve(import.meta.dirname, "..");
const WEB = path.join(ROOT, "web");
const environment = { ...process.env, NODE_ENV: "development" };

const run = (args: string[], cwd: string): ChildProcess =>
  spawn(process.execPath, args, { cwd, stdio: "inherit", env: environment });

// Under --watch Node sets this, and every child of the server would report its imports over its channel, the database
// too. The folders are named instead, so nothing has to be reported.
const FORGET_REPORTS = "data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES";
const WATCHED = ["server/src", "server/embedded-mongo/src", "shared/src"];
const WATCH = [...WATCHED.map((folder) => `--watch-path=${folder}`), "--watch-preserve-output"];

const children = [
  run([...WATCH, "--import", FORGET_REPORTS, "server/src/main.ts"], ROOT),
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
