// No expression takes more than linear time: whoever chooses a text does not choose how long the server stands still.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Known, likeness, lookupKeys, storedKeys } from "@app/server/core/likeness";
import { letsSomebodyIn } from "@app/server/features/mail/access-words.service";
import { addressesIn } from "@app/server/features/mail-gateway/form-fields";
import { holdsCalendar } from "@app/server/features/mail/neutral-calendar";
import { recipientListSchema } from "@app/shared/text";
import { analyse } from "scslre";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { z } from "zod";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const LENGTH = 100_000;

/** Those that can take longer, or that are put together as the program runs, and what bounds the texts that they read. */
const BOUNDED: Record<string, Record<string, string>> = {
  "shared/src/email-address.ts": {
    "/\\s*([@.])\\s*/g": "a text is cut to what an address may be long first",
    '/^"((?:[^"\\\\]|\\\\.){1,64})"(?=@)/': "anchored, and no two alternatives begin alike",
  },
  "shared/src/typed-amounts.ts": {
    "/^-?\\d{1,3}(?:,\\d{3})+(?:\\.\\d*)?$|^-?\\d{1,3}(?: \\d{3})+(?:\\.\\d*)?$/":
      "a text of more than forty signs is no amount",
    "/^-?(?:\\d+|\\d{1,3}(?:[. ]\\d{3})+),(\\d+)$/": "a text of more than forty signs is no amount",
  },
  "server/src/features/bank-statements/bank-values.ts": {
    "/^\\+?(?:\\d+|\\d{1,3}(?:,\\d{2,3})*,\\d{3})(?:\\.\\d*)?$/": "a cell of more than forty signs is no amount",
    "/^\\+?(?:\\d+|\\d{1,3}(?:\\.\\d{2,3})*\\.\\d{3})(?:,\\d*)?$/": "a cell of more than forty signs is no amount",
  },
  "server/src/core/page.ts": {
    "new RegExp": "the routes of the product: each part ends where the next begins",
  },
  "server/embedded-mongo/src/keys/encode-key.ts": { "/0+$/": "the digits of one number" },
  "server/embedded-mongo/src/fields/regex.ts": {
    "/\\d+(,\\d*)?\\}/": "matched at one place only, in a pattern of the product",
    "/^\\?[a-z]*[msx][a-z]*(-[a-z]*)?[:)]|^\\?-/": "a pattern of the product",
    "/Q(.*?)(\\\\E|$)/": "matched at one place only, in a pattern of the product",
    "new RegExp": "a pattern of the product, in which what somebody searches for is quoted",
  },
  "server/src/features/inbox/automated-mails.ts": {
    "new RegExp": "anchored, and its parts share no sign before the last",
  },
  "server/src/core/personal-links.ts": {
    "new RegExp": "fixed words, and runs that are matched at one place only",
    "/(?:[=>\\s\\p{Default_Ignorable_Code_Point}\\p{Cf}]|<[^<>]{0,500}>){1,200}/uy":
      "matched at one place only, at most 200 parts, and no two alternatives begin alike",
  },
  "server/src/core/wrapped-words.ts": {
    "/(?:[A-Za-z0-9+/]{60,}\\r?\\n)+[A-Za-z0-9+/]*={0,2}|[A-Za-z0-9+/]{60,}={0,2}/g":
      "what is too short to match is shorter than 60 signs, and all else is taken at once",
  },
  "server/src/features/inbox/mail-html.ts": {
    "/^(-?[\\d.]{1,6}(px|em|rem|pt|%)?|auto)(\\s+(-?[\\d.]{1,6}(px|em|rem|pt|%)?|auto)){0,3}$/i":
      "anchored, at most four parts of few signs, and no two alternatives begin alike",
  },
  "server/src/features/mail-gateway/form-fields.ts": {
    "/^(?:[\"'([{*_]|mailto:)+/iu": "anchored, and no two alternatives begin alike",
  },
  "web/src/features/forms/field-edits.ts": { "/_+$/": "cut to thirty signs first" },
  "web/src/features/inbox/messages.ts": {
    "/^((re|fwd?|aw|wg)\\s*:\\s*)+/i": "anchored, and no two alternatives begin alike or end without a colon",
  },
  "server/src/features/mail/display-name.service.ts": { "new RegExp": "anchored, and one class of signs" },
  "server/src/features/mail/functions-client.service.ts": { "/\\/+$/": "a setting of whoever runs the server" },
  "server/src/features/mail/neutral-calendar.ts": {
    "new RegExp": "anchored, and each of its repetitions ends at another sign",
  },
};

const literalSchema = z.object({
  regex: z.object({ pattern: z.string(), flags: z.string() }),
});
const makingSchema = z.object({
  callee: z.object({ type: z.literal("Identifier"), name: z.literal("RegExp") }),
});

/** What this part of a program matches with: its expressions, and `new RegExp` where it makes one. */
function expressionsIn(node: unknown, found: string[] = []): string[] {
  if (typeof node !== "object" || node === null) return found;
  if ("regex" in node) {
    const { pattern, flags } = literalSchema.parse(node).regex;
    found.push(`/${pattern}/${flags}`);
  } else if ("callee" in node && makingSchema.safeParse(node).success) found.push("new RegExp");
  for (const part of Object.values(node)) expressionsIn(part, found);
  return found;
}

function isLinear(expression: string): boolean {
  if (expression === "new RegExp") return false;
  const end = expression.lastIndexOf("/");
  // Alternatives of one repetition that can read the same text take exponential time, which the checker does not see.
  if (/\|.*\)[*+{]/s.test(expression)) return false;
  // The short name of this property is newer than the checker.
  const source = expression.slice(1, end).replaceAll("\\p{ExtPict}", "\\p{Extended_Pictographic}");
  return analyse({ source, flags: expression.slice(end + 1) }).reports.length === 0;
}

const sources = globSync(
  ["server/src/**/*.ts", "server/embedded-mongo/src/**/*.ts", "shared/src/**/*.ts", "web/src/**/*.{ts,tsx}"],
  { cwd: ROOT },
);
const notLinear = sources.flatMap((file) => {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  const expressions = expressionsIn(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return [...new Set(expressions)].filter((one) => !isLinear(one)).map((one) => ({ file, one }));
});

test("expressions: where one can take longer than its text is long, then what bounds the text is named", () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(notLinear.filter(({ file, one }) => !BOUNDED[file]?.[one])).toEqual([]);
});

test("expressions: what is named as bounded, when it is looked for, is still there", () => {
  const named = Object.entries(BOUNDED).flatMap(([file, ones]) => Object.keys(ones).map((one) => ({ file, one })));
  expect(named.filter(({ file, one }) => !notLinear.some((it) => it.file === file && it.one === one))).toEqual([]);
});

test.each([
  "/(?:[a.]|\\?[^@]*)+$/u",
  "/\\s+$/",
  "/^\\s*BEGIN/im",
  "/\\.|\\.[^/]*$/",
  "/^(a|a)*$/",
  "/^[^@]+\\.[^@]+$/",
])("expressions: %s, which is slow, when it is checked, is found", (slow) => expect(isLinear(slow)).toBe(false));

const app = forAllTests(startTestApp);

const refusal = (check: () => unknown) => {
  try {
    return check();
  } catch (error) {
    return error;
  }
};
const compared = (name: string) => {
  const one: Known = {
    firstName: name,
    lastName: name,
    knownAs: name,
    organisation: name,
    email: "",
    phones: [],
    dateOfBirth: "",
  };
  return [storedKeys(one), lookupKeys(one), likeness(one, { ...one, organisation: "", lastName: `${name}b` })];
};
const ATTACKS: Record<string, () => unknown> = {
  "a file of empty lines": () => holdsCalendar(Buffer.from("\n".repeat(LENGTH))),
  "a file of lines of blanks": () => holdsCalendar(Buffer.from("\t\n\v\f".repeat(LENGTH / 4))),
  "a mail of blanks": () => letsSomebodyIn(`token${"\t".repeat(LENGTH)}x`),
  "a mail of lines that are quoted": () => letsSomebodyIn(`token${"\n> \t".repeat(LENGTH / 4)}x`),
  "a mail of coded lines": () => letsSomebodyIn(`token ${`${"a".repeat(59)}\n`.repeat(LENGTH / 60)}`),
  "a mail of one coded line": () => letsSomebodyIn(`token ${"a".repeat(LENGTH)}`),
  "a mail of links": () => letsSomebodyIn(`token ${"setup?".repeat(LENGTH / 6)}`),
  "a form of question marks": () => refusal(() => addressesIn("x", `a@b${"?".repeat(49_000)}@`)),
  "names of one very long word": () => compared("a".repeat(LENGTH)),
  "names of very many words": () => compared("ab ".repeat(LENGTH / 3)),
  "names of marks": () => compared("\u0301".repeat(LENGTH)),
  "a list of very many addresses": () => recipientListSchema.safeParse("a,".repeat(LENGTH)),
  "a form of stops": () => refusal(() => addressesIn("x", `a@b${".".repeat(49_000)}a`)),
};
test.each(Object.entries(ATTACKS))("expressions: %s, when it is read, takes less than a second", (_what, attack) => {
  const startedAt = performance.now();
  attack();
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test("page: a path of thousands of dots, when it is asked for, is answered at once", async () => {
  const paths = Array.from({ length: 10 }, () => `${app.url}/${"a.".repeat(7500)}/b`);
  const startedAt = performance.now();
  await Promise.all(paths.map((address) => fetch(address).then((answer) => answer.text())));
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
