import { beforeAll, expect, test } from "vitest";
import { guardedRoutes, doorOf } from "../support/access/access-scenario.ts";
import { aTarget } from "../support/access/access-target.ts";
import type { Target } from "../support/access/door.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let target: Target;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  target = await aTarget(app, practice);
});

const downloads = guardedRoutes.filter(
  // A mail has no mailbox to come from here, and nothing is open that a court may be given; inbox.test.ts and
  // court-packs.test.ts ask for those.
  (name) => name.startsWith("GET ") && !/^GET \/export\/(mail|court-packs)\//.test(name),
);

/** Pictures of a page of ours, which a browser shows. */
const SHOWN = new Set([
  "GET /document-pictures/:textId/:id",
  "GET /export/documents/:id.pdf",
  "GET /practice-logo/:id",
]);

test.each(downloads)(
  "%s: when somebody may have it, is saved or shown, kept by nobody and can do nothing",
  async (name) => {
    const address = doorOf(name).route?.address(target) ?? "";
    const { status, headers } = await fetch(`${app.url}${address}`, { headers: { cookie: practice.cookies() } });
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toMatch(
      SHOWN.has(name) ? /^inline; filename=[\w.]+$/ : /^attachment; filename="?[\w-]+\.\w+"?$/,
    );
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("private, no-store");
  },
);
