// What people read is short and plain: phrases that were once taken out do not come back.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** A phrase, and what is written in its place. */
const BANNED: [RegExp, string][] = [
  [/\bevery message left\b/i, "All messages have been sent."],
  [/\bnothing needs you\b/i, "No notifications."],
  [/\bit is our turn\b/i, "Waiting for us for 16 days."],
  [/\bbecomes a task for you\b/i, "you get a task"],
  [/\bstands wherever\b/i, "Clients see this name."],
  [/\bcannot leave the enquiry before\b/i, "Decide this before the case can move to intake."],
  [/\bwas cancelled late\b/i, "Late cancellation"],
  [/\bnobody like (this|them|these)\b/i, "No matches found."],
  [/\b(stands?|standing) here\b/i, "is listed here, you will see it here"],
  [/\bstands in red\b/i, "is marked in red"],
  [/\bcounts for nothing\b/i, "no longer counts"],
  [/\bstays to be read\b/i, "can still be read"],
  [/\bnobody is in the archive\b/i, "The archive is empty"],
  [/\bnothing stands in the way\b/i, "Ready to publish."],
];

/** The source without what only its readers see. */
const withoutComments = (source: string): string =>
  source.replace(/\/\*\*?(?:[^*]|\*(?!\/))*\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

test("the words of the product: when its source is searched, then it has none of the phrases that were taken out", () => {
  const files = globSync("{web,shared,server}/src/**/*.{ts,tsx}", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    // A sentence goes on over the end of a line.
    const words = withoutComments(readFileSync(path.join(ROOT, file), "utf8")).replace(/\s+/g, " ");
    return BANNED.flatMap(([phrase, better]) => {
      const said = phrase.exec(words)?.[0];
      return said === undefined ? [] : [`${file}: “${said}”, better: ${better}`];
    });
  });
  expect(found).toEqual([]);
});
