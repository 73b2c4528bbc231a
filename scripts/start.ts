// In one process, because each more takes its time.
import { buildPage } from "./build-page.ts";
import { answerHelp } from "./run-command.ts";

answerHelp(`Usage: npm start
Builds the page when it is out of date, then runs the product. Its settings are environment variables: see the README.`);
await buildPage({ ifStale: true });
await import("@app/server/main");
