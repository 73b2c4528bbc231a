// In which form the files of the page are sent.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { servePage } from "@app/server/core/page";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";

const dir = mkdtempSync(path.join(tmpdir(), "evenhand-page-"));
let server: Server;
beforeAll(async () => {
  mkdirSync(path.join(dir, "assets"));
  writeFileSync(path.join(dir, "index.html"), "<title>Page</title>");
  writeFileSync(path.join(dir, "routes.json"), "[]");
  for (const [suffix, text] of Object.entries({ "": "plain", ".br": "by brotli", ".gz": "by gzip" }))
    writeFileSync(path.join(dir, `assets/a.js${suffix}`), text);
  server = createServer(express().use(servePage(dir)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise((resolve) => void server.close(resolve));
  rmSync(dir, { recursive: true });
});

const encodingFor = (accepted: string | undefined) =>
  new Promise<string>((resolve, reject) => {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    get({ port, host: "127.0.0.1", path: "/assets/a.js", headers }, (answer) => {
      answer.resume();
      resolve(answer.headers["content-encoding"] ?? "none");
    }).once("error", reject);
  });

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br;q=0", "gzip"],
  ["br;q=0, gzip;q=0", "none"],
  ["*", "br"],
  ["*;q=0", "none"],
  ["brotli", "none"],
  ["", "none"],
  [undefined, "none"],
])("a file of the page: for %j it is sent as %s", async (accepted, encoding) => {
  expect(await encodingFor(accepted)).toBe(encoding);
});
