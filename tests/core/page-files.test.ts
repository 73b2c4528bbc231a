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
  writeFileSync(path.join(dir, "index.html"), '<head></head><title>Page</title><div id="root"></div>');
  writeFileSync(
    path.join(dir, "routes.json"),
    JSON.stringify([
      { path: "/rooms/$id", isForUsers: true, scripts: ["assets/a.js"], styles: ["assets/a.css"] },
      { path: "/doors", isForUsers: false, scripts: [], styles: [] },
    ]),
  );
  for (const [suffix, text] of Object.entries({ "": "plain", ".br": "by brotli", ".gz": "by gzip" }))
    writeFileSync(path.join(dir, `assets/a.js${suffix}`), text);
  server = createServer(express().use(servePage(dir)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise((resolve) => void server.close(resolve));
  rmSync(dir, { recursive: true });
});

const portOf = () => {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
};

const documentOf = async (place: string): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${portOf()}${place}`, { headers: { accept: "text/html" } });
  return answer.text();
};

const encodingFor = (accepted: string | undefined) =>
  new Promise<string>((resolve, reject) => {
    const port = portOf();
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

test.each([
  ["/rooms/12", ["/trpc/auth.status", "/assets/a.js", "/assets/a.css"]],
  ["/doors", []],
  ["/windows", []],
])("the document of %s: asks for %j before anything has run", async (place, hrefs) => {
  const text = await documentOf(place);
  expect([...text.matchAll(/ href="([^"]+)"/g)].map((match) => match[1])).toEqual(hrefs);
});

test.each([
  ["/rooms/12", false],
  ["/doors", true],
])("the document of %s: says that it takes a moment: %s, before anything has run", async (place, isSaid) => {
  expect((await documentOf(place)).includes("One moment")).toBe(isSaid);
});
