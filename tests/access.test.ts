import { createApp } from "@app/server/app";
import { createLogger } from "@app/server/core/logger";
import type { RawRoute } from "@app/server/core/raw-route";
import { RAW_ROUTES } from "@app/server/raw-routes";
import { PERMISSIONS } from "@app/shared/access";
import mongoose from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { call, callRaw, doorOf, guarded, guardedRoutes } from "./support/access/access-scenario.ts";
import { NOBODY } from "./support/access/access-target.ts";
import { permissionsOf } from "./support/access/door.ts";
import { DOORS } from "./support/access/doors.ts";
import { liveDoors } from "./support/access/live-doors.ts";
import { aPractice, aStaffUser, aVisitor, type TestPerson, type TestPractice } from "./support/server/people.ts";
import { procedures } from "./support/access/procedures.ts";
import { send } from "./support/server/raw-http.ts";
import { startTestApp } from "./support/server/test-app.ts";
import { forAllTests } from "./support/server/lifetimes.ts";

const paths = Object.keys(procedures);

/** What looks at a request on its way and is no door; whatever answers by itself, such as the page, holds no data. */
const PASSAGES = [
  "/ withCaller",
  "/ noStore",
  "/ helmetMiddleware",
  "/ ofOurPage",
  "/functions/ answerUnknownCall",
  "/trpc/ withDeadline",
  "/trpc/ serveProcedures",
  "/ serveThePage",
  "/ answerNothingHere",
  "/functions/ answerRefusedCall",
  "/functions/ answerFailure",
  "/ answerFailure",
];

const app = forAllTests(startTestApp);

const endSubscription = ({ ownerId }: TestPractice) =>
  mongoose.connection
    .collection<{ _id: string }>("customers")
    .updateOne({ _id: ownerId }, { $set: { "subscriptions.0.status": "past_due" } });

test("access: what the server answers to and the table of doors, when compared, are the same", () => {
  const { doors, passages } = liveDoors(createApp({ log: createLogger("silent") }));
  expect(doors.toSorted()).toEqual(Object.keys(DOORS).toSorted());
  expect(passages).toEqual(PASSAGES);
});

test("access: every procedure, when asked, says of itself what the table says", () => {
  for (const path of paths) {
    const { access = "public", permissions = [] } = procedures[path]?._def.meta ?? {};
    const door = doorOf(path);
    expect({ path, access, permissions }).toEqual({ path, access: door.access, permissions: permissionsOf(door) });
  }
});

test("access: every route outside the router, when asked, says of itself what the table says", () => {
  const said = (name: string, { access, ...rest }: RawRoute) => ({
    name,
    access,
    permissions: [],
    asksAgain: false,
    takesToken: "answerInstallation" in rest,
    ...("permissions" in rest ? { permissions: rest.permissions, asksAgain: rest.asksAgain ?? false } : {}),
  });
  for (const [name, route] of Object.entries<RawRoute>(RAW_ROUTES)) {
    const { access, asksAgain = false, takesToken = false, ...door } = doorOf(name);
    const permissions = permissionsOf({ access, ...door });
    expect(said(name, route)).toEqual({ name, access, permissions, asksAgain, takesToken });
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
    if (doorOf(path).access === "protected") expect(["PAYMENT_REQUIRED", "UNAUTHORIZED"]).not.toContain(code);
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

  test.each(guarded.filter((path) => doorOf(path).access !== "protected"))(
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
        const door = doorOf(path);
        if (door.access === "protected") continue;
        const { code } = await call(app, staff, path, { $ne: null });
        const isRefused = door.access === "owner" || permissionsOf(door).includes(missing);
        expect({ path, isRefused: code === "FORBIDDEN" }).toEqual({ path, isRefused });
      }
    },
  );
});

describe("routes outside the router", () => {
  test.each(guardedRoutes)("%s: asks for a session, a subscription and each permission", async (name) => {
    const practice = await aPractice(app);
    const codeFor = async (person: TestPerson) => (await callRaw(app, person, name, NOBODY)).code;
    expect(await codeFor(aVisitor(app))).toBe("UNAUTHORIZED");
    for (const missing of permissionsOf(doorOf(name))) {
      const permissions = PERMISSIONS.filter((each) => each !== missing && each !== "assigned_only");
      expect(await codeFor(await aStaffUser(app, practice, { permissions }))).toBe("FORBIDDEN");
    }
    await endSubscription(practice);
    expect(await codeFor(practice)).toBe("PAYMENT_REQUIRED");
  });

  const posts = guardedRoutes.filter((name) => name.startsWith("POST "));
  test.each(posts)(
    "%s: when another site sends it, or in another type, is refused before anybody is known",
    async (name) => {
      const { address, contentType = "" } = doorOf(name).route ?? {};
      const url = `${app.url}${address?.(NOBODY) ?? ""}`;
      const post = async (headers: Record<string, string>) => (await send(url, { method: "POST", headers })).status;
      expect(await post({ origin: "https://evil.test", "content-type": contentType })).toBe(403);
      expect(await post({ origin: app.url, "content-type": "text/plain" })).toBe(415);
      expect(await post({ origin: app.url, "content-type": contentType })).toBe(401);
    },
  );
});
