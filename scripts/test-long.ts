import { spawn } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { answerHelp } from "./run-command.ts";

answerHelp(`Usage: npm run test:long [-- PART]
Runs what hours find and minutes do not: each test that takes its length from outside, at full length.
PART is a part of a name: only what has it there is run.`);

interface Long {
  name: string;
  /** Where it is; left out for all tests. */
  project?: "unit" | "guards";
  file: string;
  environment: Record<string, string>;
  /** How often, each time on a database of its own: in a large one each case takes longer. */
  rounds?: number;
  /** How many processes keep the machine busy meanwhile. */
  busy?: number;
}

const LOG = "node_modules/.cache/long.log";

const LONG: Long[] = [
  {
    name: "5,000 random cases, every way out",
    project: "guards",
    file: "visibility",
    environment: { VISIBILITY_CASES: "500" },
    rounds: 10,
  },
  {
    name: "embedded database, 100 crashes",
    project: "unit",
    file: "embedded-mongo/tests/service-crash",
    environment: { CRASH_ROUNDS: "100" },
  },
  {
    name: "embedded database, 100 power cuts",
    project: "unit",
    file: "embedded-mongo/tests/service-power-cut",
    environment: { POWER_CUTS: "100" },
  },
  {
    name: "embedded database, 500 flipped bytes",
    project: "unit",
    file: "embedded-mongo/tests/service-damage",
    environment: { DAMAGE_FLIPS: "500" },
  },
  {
    name: "embedded database, random plans",
    project: "unit",
    file: "embedded-mongo/tests/service-plan-fuzz",
    environment: { FUZZ_RUNS: "100000", FUZZ_SEED: String(Date.now() % 1_000_000) },
  },
  {
    name: "embedded database, random transactions",
    project: "unit",
    file: "embedded-mongo/tests/service-transaction-fuzz",
    environment: { FUZZ_RUNS: "20000", FUZZ_SEED: String(Date.now() % 1_000_000) },
  },
  {
    name: "10,000 steps of cases of every kind",
    project: "unit",
    file: "features/case-walk",
    environment: { CASE_STEPS: "10000" },
  },
  {
    name: "50 races for a booking",
    project: "unit",
    file: "features/booking-race",
    environment: { BOOKING_ROUNDS: "50" },
  },
  {
    name: "50 races for a time of a booking link",
    project: "unit",
    file: "features/booking-link-race",
    environment: { BOOKING_ROUNDS: "50" },
  },
  {
    name: "free times in every zone, minute by minute",
    project: "unit",
    file: "shared/slots",
    environment: { SLOT_CASES: "400" },
  },
  {
    name: "mailing of 1,000, killed 10 times",
    project: "unit",
    file: "features/mailings-crash",
    environment: { MAILING_KILLS: "10", MAILING_RECIPIENTS: "1000" },
  },
  {
    name: "mailing of 1,000 by two processes whose clocks differ, killed 3 times",
    project: "unit",
    file: "features/mailings-clocks",
    environment: { CLOCKS_KILLS: "3", CLOCKS_RECIPIENTS: "1000" },
  },
  {
    name: "1,000 undone imports, sweeps and deleted notes beside twenty writers",
    project: "unit",
    file: "features/undo-beside-writers",
    environment: { UNDO_ROUNDS: "1000" },
  },
  {
    name: "mails whose process is killed 3 times",
    project: "unit",
    file: "features/mail-crash",
    environment: { MAIL_KILLS: "3" },
  },
  {
    name: "invitations of a series whose process is killed twice",
    project: "unit",
    file: "features/series-crash",
    environment: { SERIES_KILLS: "2" },
  },
  {
    name: "2,000 connections of one address",
    project: "unit",
    file: "core/connections",
    environment: { SOCKETS: "2000" },
  },
  {
    name: "mail servers that shout for 8 seconds",
    project: "unit",
    file: "features/inbox-holds",
    environment: { LOUD_MS: "8000" },
  },
  {
    name: "upload of 200 MB",
    project: "unit",
    file: "features/upload-bounds",
    environment: { UPLOAD_MEGABYTES: "200" },
  },
  {
    name: "all tests beside two busy loops",
    file: "npm test",
    environment: { TEST_RETRIES: "0" },
    rounds: 10,
    busy: 2,
  },
];

mkdirSync("node_modules/.cache", { recursive: true });
const log = openSync(LOG, "w");
// A part of a name runs only what it is in.
const [wanted = ""] = process.argv.slice(2);
for (const long of LONG.filter(({ name, file }) => `${name} ${file}`.includes(wanted))) {
  const settings = Object.entries(long.environment).map(([name, value]) => `${name}=${value}`);
  const { rounds = 1 } = long;
  for (let round = 1; round <= rounds; round += 1) {
    const startedAt = Date.now();
    const code = await run(long);
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
    const which = rounds > 1 ? `, ${round} of ${rounds}` : "";
    console.log(`${code === 0 ? "ok" : "FAILED"}  ${long.name}${which}: ${minutes} min (${settings.join(" ")})`);
    if (code !== 0) process.exitCode = 1;
  }
}
console.log(`What they said stands in ${LOG}.`);

async function run({ project, file, environment, busy = 0 }: Long): Promise<number> {
  const [command = "", ...words] = project
    ? ["vitest", "run", "--root", "tests", "--project", project, file]
    : file.split(" ");
  const loops = Array.from({ length: busy }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  const child = spawn(command, words, { stdio: ["ignore", log, log], env: { ...process.env, ...environment } });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", resolve);
  });
  for (const loop of loops) loop.kill();
  return code ?? 1;
}
