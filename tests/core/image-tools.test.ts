// The tools of the README in what the Dockerfile makes: its files, its packages, and no Node but the image's own.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/server/free-port.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const OWNER = "ines@example.org";
const STEP_MAX_MS = 150_000;
const INSTALL_MAX_MS = 120_000;

/** The commands of the last stage of the Dockerfile. */
const lastStage =
  readFileSync(path.join(ROOT, "Dockerfile"), "utf8")
    .split(/^FROM /m)
    .at(-1) ?? "";
const copies = [...lastStage.matchAll(/^COPY (?!--)(.+) (\S+)$/gm)].map(([, from = "", to = ""]) => ({
  from: from.split(" "),
  to,
}));
const [, install = ""] = /^RUN .*?pnpm (install .+?) &&/m.exec(lastStage.replace(/^RUN npm .*$/m, "")) ?? [];

const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");
const [, table = ""] = /^## Tools\n([\s\S]+?)These also run in the container/m.exec(readme) ?? [];
const scripts: unknown = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).scripts;
const TOOLS = [...table.matchAll(/^\| `(?:npm run ([\w:-]+)|node scripts\/run\.js (\S+))/gm)].map(
  ([, name = "", file]) =>
    file ??
    String(Reflect.get(Object(scripts), name))
      .split(" ")
      .at(-1) ??
    "",
);

let image: string;
let environment: Record<string, string>;
beforeAll(async () => {
  image = await mkdtemp(path.join(tmpdir(), "evenhand-image-"));
  for (const { from, to } of copies)
    for (const one of from) {
      const target = path.join(image, to, to.endsWith("/") ? path.basename(one) : "");
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(path.join(ROOT, one), target, { recursive: true, filter: (file) => !file.includes("node_modules") });
    }
  // Everything is in pnpm's store since the checkout was installed; what is not there fails here, with its name.
  execFileSync("npx", ["-y", "pnpm@12", ...install.replaceAll("'", "").split(" "), "--offline"], {
    cwd: image,
    encoding: "utf8",
    timeout: INSTALL_MAX_MS,
  });
  const { HOME = "" } = process.env;
  environment = {
    HOME,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}/usr/bin${path.delimiter}/bin`,
    NODE_ENV: "production",
    DATA_DIR: path.join(image, "data"),
    NODE_COMPILE_CACHE: path.join(image, "compile-cache"),
  };
}, INSTALL_MAX_MS);
afterAll(() => rm(image, { recursive: true, force: true }));

/** What a tool says, run as somebody in the container would. */
const run = (words: string[], input = "", more: Record<string, string> = {}): string =>
  execFileSync(process.execPath, ["scripts/run.js", ...words], {
    cwd: image,
    encoding: "utf8",
    input,
    timeout: STEP_MAX_MS,
    env: { ...environment, ...more },
  });

const fileWith = (name: string, content: string): string => {
  const file = path.join(image, name);
  writeFileSync(file, content);
  return file;
};

const listOf = (address: string) => fileWith("list.csv", `value,label\n${address},Tom Birch\n`);

/** One act of each, in the order in which a practice needs them. */
const ACTS: Record<string, () => string | Promise<string>> = {
  "scripts/create-owner.ts": () =>
    run(
      ["scripts/create-owner.ts", "--email", OWNER, "--first-name", "Ines", "--last-name", "Marchbank"].concat([
        "--practice",
        "Quillfeather Row",
      ]),
      "a long enough password of hers\n",
    ),
  "scripts/reset-password.ts": () => run(["scripts/reset-password.ts", "--email", OWNER]),
  "scripts/grant-subscription.ts": () =>
    run(["scripts/grant-subscription.ts", "--owner", OWNER, "--plan", "pro", "--until", "2027-01-31"]),
  "scripts/import-data.ts": () => {
    const file = fileWith("clients.csv", "First name,Surname\nPriya,Ellery\n");
    return run(["scripts/import-data.ts", "--owner", OWNER, "--kind", "clients", file, "--import"]);
  },
  "scripts/send-bulk-mail.ts": () => {
    const body = fileWith("body.txt", "Hello\n");
    const words = ["--owner", OWNER, "--subject", "Hello", "--body", body, "--to", listOf("tom@example.org")];
    return run(["scripts/send-bulk-mail.ts", ...words, "--dry-run"]);
  },
  "scripts/demo.ts": () => run(["scripts/demo.ts"]),
  "scripts/backup.ts": () => run(["scripts/backup.ts", "--to", path.join(image, "copy.sqlite"), "--check"]),
  "scripts/rotate-key.ts": () => {
    const [old, fresh] = [readFileSync(path.join(image, "data/secret.key"), "utf8").trim(), "k".repeat(43) + "="];
    return run(["scripts/rotate-key.ts"], "", { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: old });
  },
  "server/embedded-mongo/src/cli.ts": serveOnce,
};

const SAYS: Record<string, RegExp> = {
  "scripts/create-owner.ts": /Made the practice Quillfeather Row/,
  "scripts/reset-password.ts": /\/resetpassword\?token=[\w-]{43}\nIt works once/,
  "scripts/grant-subscription.ts": /has the plan pro until 2027-01-31/,
  "scripts/import-data.ts": /1 imported/,
  "scripts/send-bulk-mail.ts": /1 of 1 would get it/,
  "scripts/demo.ts": /are in the demonstration practice/,
  "scripts/backup.ts": /is sound/,
  "scripts/rotate-key.ts": /stored secrets now carry the new key/,
  "server/embedded-mongo/src/cli.ts": /^mongodb:\/\/\S+\?replicaSet=rs0/,
};

/** Until it says where it serves. */
async function serveOnce(): Promise<string> {
  const words = ["--dir", path.join(image, "other"), "--port", String(await freePort())];
  const child = spawn(process.execPath, ["scripts/run.js", "server/embedded-mongo/src/cli.ts", ...words], {
    cwd: image,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    for await (const chunk of child.stdout) return String(chunk);
    return "";
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

describe("the image", () => {
  test("the tools of the README: when they are counted, each has an act of its own here", () => {
    expect(TOOLS.toSorted()).toEqual(Object.keys(ACTS).toSorted());
  });

  test.each(Object.keys(ACTS))("%s: when it is asked for help in the image, says what it is for", (tool) => {
    expect(run([tool, "--help"], "", { DATA_DIR: "/nonexistent" }).length).toBeGreaterThan(40);
  });

  test.each(Object.entries(ACTS))(
    "%s: when it is used in the image, does its work",
    async (tool, act) => {
      expect(await act()).toMatch(SAYS[tool] ?? /^$/);
    },
    STEP_MAX_MS,
  );
});
