import { defineConfig } from "vitest/config";
import { guardLinesPlugin } from "./support/access/guard-lines.ts";

const web = { oxc: { jsx: { runtime: "automatic" as const } } };

export default defineConfig({
  test: {
    // What a test starts is told which database is its own; the one that was given is nobody's (support/server/database.ts).
    env: { TZ: process.env["TEST_TZ"] ?? "UTC", MONGODB_URI: "" },
    restoreMocks: true,
    fsModuleCache: true,
    // Twice the cores that there are at the least: much of what is tested is waiting.
    maxWorkers: 4,
    // Where others use the machine too, what waits for real clocks and processes gets a second try; the output says so.
    retry: Number(process.env["TEST_RETRIES"] ?? 0),
    testTimeout: 90_000,
    hookTimeout: 180_000,
    globalSetup: ["support/server/database.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          // Each file starts and closes its own server; translating and loading all of it anew took as long as the tests.
          isolate: false,
          include: [
            "!(tenant-isolation|visibility).test.ts",
            "shared/**/*.test.ts",
            "features/**/*.test.ts",
            "core/**/*.test.ts",
            "../server/embedded-mongo/tests/**/*.test.ts",
          ],
        },
      },
      {
        extends: true,
        plugins: [guardLinesPlugin()],
        // What asks whether its guards stand must not be left in what other runs have translated.
        test: {
          name: "guards",
          environment: "node",
          include: ["visibility.test.ts"],
          maxConcurrency: 2,
          fsModuleCache: false,
        },
      },
      // Watches every query, so it has a process to itself.
      { extends: true, test: { name: "tenant-isolation", environment: "node", include: ["tenant-isolation.test.ts"] } },
      { extends: true, ...web, test: { name: "web", environment: "jsdom", include: ["web/**/*.test.tsx"] } },
      {
        extends: true,
        test: {
          name: "e2e",
          environment: "node",
          // The first of them fills the demonstration for all.
          hookTimeout: 400_000,
          // Each file has a stage of its own.
          isolate: false,
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["support/server/demo-dir.ts", "support/browser/one-browser.ts"],
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          maxConcurrency: 2,
        },
      },
    ],
  },
});
