import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { PERMISSIONS } from "@app/shared/access";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCESS } from "./support/access-fixtures.ts";
import { call, callRaw, fixtureOf, guarded } from "./support/access-scenario.ts";
import { NOBODY } from "./support/access-target.ts";
import { aPractice, aStaffUser, aVisitor, type TestPerson, type TestPractice } from "./support/people.ts";
import { RAW_ACCESS } from "./support/raw-access.ts";
import { procedures } from "./support/procedures.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const paths = Object.keys(procedures);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const endSubscription = ({ ownerId }: TestPractice) =>
  mongoose.connection
    .collection<{ _id: string }>("customers")
    .updateOne({ _id: ownerId }, { $set: { "subscriptions.0.status": "past_due" } });

test("access: every procedure has an entry, and the entry says what the procedure says", () => {
  expect(paths.filter((path) => !ACCESS[path])).toEqual([]);
  for (const path of paths) {
    const { access = "public", permission } = procedures[path]?._def.meta ?? {};
    expect({ path, access, permission }).toEqual({
      path,
      access: fixtureOf(path).access,
      permission: fixtureOf(path).permission,
    });
  }
});

test.each(guarded)("%s: somebody who is not signed in is refused before the input is looked at", async (path) => {
  expect((await call(app, aVisitor(app), path, { $ne: null })).code).toBe("UNAUTHORIZED");
});

describe("without a subscription", () => {
  let practice: TestPractice;
  beforeAll(async () => {
    practice = await aPractice(app);
    await endSubscription(practice);
  });

  test.each(guarded)("%s: answers by its own rule", async (path) => {
    const { code } = await call(app, practice, path, { $ne: null });
    if (fixtureOf(path).access === "protected") expect(["PAYMENT_REQUIRED", "UNAUTHORIZED"]).not.toContain(code);
    else expect(code).toBe("PAYMENT_REQUIRED");
  });
});

describe("staff", () => {
  let practice: TestPractice;
  let unpermitted: TestPerson;
  beforeAll(async () => {
    practice = await aPractice(app);
    unpermitted = await aStaffUser(app, practice, { permissions: [] });
  });

  test.each(guarded.filter((path) => fixtureOf(path).access !== "protected"))(
    "%s: staff without any permission are refused",
    async (path) => {
      expect((await call(app, unpermitted, path, { $ne: null })).code).toBe("FORBIDDEN");
    },
  );

  test.each(PERMISSIONS.filter((permission) => permission !== "assigned_only"))(
    "staff who lack only %s are refused exactly what it guards",
    async (missing) => {
      const staff = await aStaffUser(app, practice, {
        permissions: PERMISSIONS.filter((each) => each !== missing && each !== "assigned_only"),
      });
      for (const path of guarded) {
        const { access, permission } = fixtureOf(path);
        if (access === "protected") continue;
        const { code } = await call(app, staff, path, { $ne: null });
        const isRefused = access === "owner" || permission === missing;
        expect({ path, isRefused: code === "FORBIDDEN" }).toEqual({ path, isRefused });
      }
    },
  );
});

describe("raw routes", () => {
  const features = path.resolve(import.meta.dirname, "../server/src/features");
  /** Open to the public: a secret in the address, or a signature, stands for the person. */
  const PUBLIC = ["/:address", "/", "/:token", "/:token"];

  test("access: every raw route of the server has an entry or is open to the public", () => {
    const found = globSync("**/*.http.ts", { cwd: features }).flatMap((file) => {
      const routes = [
        ...readFileSync(path.join(features, file), "utf8").matchAll(/\.(?:get|post|put|delete)\(\s*"(\/[^"]*)"/g),
      ];
      return routes.map(([, route]) => route);
    });
    expect(found.length).toBe(Object.keys(RAW_ACCESS).length + PUBLIC.length);
  });

  test.each(Object.entries(RAW_ACCESS))(
    "%s: asks for a session, a subscription and each permission",
    async (name, fixture) => {
      const practice = await aPractice(app);
      const codeFor = async (person: TestPerson) => (await callRaw(app, person, name, NOBODY)).code;
      expect(await codeFor(aVisitor(app))).toBe("UNAUTHORIZED");
      for (const missing of fixture.permissions) {
        const permissions = PERMISSIONS.filter((each) => each !== missing && each !== "assigned_only");
        expect(await codeFor(await aStaffUser(app, practice, { permissions }))).toBe("FORBIDDEN");
      }
      await endSubscription(practice);
      expect(await codeFor(practice)).toBe("PAYMENT_REQUIRED");
    },
  );
});
