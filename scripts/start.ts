// npm start: builds the page when it is out of date, then runs the product; in one process, because each more takes its time.
import { buildPage } from "./build-page.ts";

await buildPage({ ifStale: true });
await import("@app/server/main");
