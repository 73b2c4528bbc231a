// One browser for all files of the run. Each connects to it, and what a file opened there is closed with its connection.
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
import { serveBrowser } from "../../../scripts/browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where to connect to it. */
    browser: string;
  }
}

let server: BrowserServer;

export async function setup(project: TestProject) {
  server = await serveBrowser();
  project.provide("browser", server.wsEndpoint());
}

export const teardown = () => server.close();
