import { defineConfig } from "vitest/config";
import { mutantPlugin } from "./support/mutant-plugin.ts";

const web = { oxc: { jsx: { runtime: "automatic" as const } } };

const mutant = process.env["MUTANT"];

export default defineConfig({
  plugins: mutant ? [mutantPlugin(mutant)] : [],
  test: {
    env: { TZ: process.env["TEST_TZ"] ?? "UTC" },
    restoreMocks: true,
    // A mutant must not be read from, or left in, what earlier runs translated.
    fsModuleCache: !mutant,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ["support/database.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: [
            "*.test.ts",
            "shared/**/*.test.ts",
            "features/**/*.test.ts",
            "core/**/*.test.ts",
            "embedded-mongo/**/*.test.ts",
          ],
        },
      },
      { extends: true, ...web, test: { name: "web", environment: "jsdom", include: ["web/**/*.test.tsx"] } },
      {
        extends: true,
        test: {
          name: "e2e",
          environment: "node",
          include: ["e2e/**/*.test.ts"],
          fileParallelism: false,
          maxConcurrency: 3,
        },
      },
    ],
  },
});
