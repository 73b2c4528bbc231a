// How long what tests need lives: made and ended by vitest's hooks, and used as if it were there from the start.
import { configure, type Settings, settings } from "@app/server/core/settings";
import mongoose from "mongoose";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/** Reads whatever is made last, so that one name stands for it in every test. */
function latest<T extends object>(make: () => Promise<T>): { renew: () => Promise<void>; value: T };
function latest(make: () => Promise<object>) {
  let made: object | undefined;
  const now = () => {
    if (!made) throw new Error("it is made when the tests begin, not while they are listed");
    return made;
  };
  const value = new Proxy(
    {},
    {
      get: (_empty, name): unknown => Reflect.get(now(), name),
      has: (_empty, name) => Reflect.has(now(), name),
      ownKeys: () => Reflect.ownKeys(now()),
      getOwnPropertyDescriptor(_empty, name) {
        const own = Reflect.getOwnPropertyDescriptor(now(), name);
        return own && { ...own, configurable: true };
      },
    },
  );
  return { renew: async () => void (made = await make()), value };
}

/** One for the tests of this file or group; what can be closed is closed after them, the last that began first. */
export function forAllTests<T extends object>(make: () => Promise<T>): T {
  const { renew, value } = latest(make);
  beforeAll(renew);
  afterAll(async () => {
    if ("close" in value && typeof value.close === "function") await value.close();
  });
  return value;
}

/** A new one for each test. */
export function forEachTest<T extends object>(make: () => Promise<T>): T {
  const { renew, value } = latest(make);
  beforeEach(renew);
  return value;
}

/** What a test configures otherwise holds until it ends, or until it calls what this gives. */
export function settingsOfEachTest(): () => void {
  let before: Settings | undefined;
  const putBack = () => before && configure(before);
  beforeEach(() => void (before = settings()));
  afterEach(putBack);
  return putBack;
}

/** Nobody was counted yet when a test begins: none is refused for what another tried. */
export const forgetAttempts = async (): Promise<void> => {
  await mongoose.connection.collection("rate_limits").deleteMany({});
};
