import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { RequestHandler } from "express";
import { z } from "zod";
import { styleNonce } from "./http-security.ts";

const NONCE_PLACEHOLDER = "__CSP_NONCE__";
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/** Of a path: the websites that may show it within a page of theirs. */
type Framers = (path: string) => Promise<readonly string[]>;

/**
 * Serves the built page from `dir`: files as they were compressed at build time, and for each of its routes the document
 * itself, with what that route needs, stamped with this response's style nonce. Any other path is missing; a browser that
 * somebody mistyped one in gets the document with that, which says so. sirv looks for the letters "br" in Accept-Encoding, also where q=0 refuses
 * it, and knows one document for all paths, so files are sent by Express here.
 */
export function servePage(dir: string, framersOf: Framers = () => Promise.resolve([])): RequestHandler {
  const documentText = readIn(dir, "index.html");
  const routes = routesIn(readIn(dir, "routes.json"));
  const files = new Set(documentText === null ? [] : listFiles(dir));
  return async function serveThePage(req, res, next) {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const type = TYPES[path.extname(req.path)];
    if (type && files.has(req.path)) {
      const encoding = ENCODINGS.find(([name, suffix]) => files.has(req.path + suffix) && req.acceptsEncodings(name));
      if (encoding) res.set("Content-Encoding", encoding[0]);
      res.set("Vary", "Accept-Encoding");
      const cacheControl = req.path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
      res.sendFile(req.path + (encoding?.[1] ?? ""), {
        root: dir,
        cacheControl: false,
        headers: { "Content-Type": type, "Cache-Control": cacheControl },
      });
      return;
    }
    // What hides or is a file is no page that somebody mistyped.
    if (req.path.includes("/.") || req.path.slice(req.path.lastIndexOf("/")).includes(".")) return next();
    if (documentText === null) {
      res.status(503).type("text").send("The page is not built yet. Run npm start, which builds it.");
      return;
    }
    const route = routes.find(({ pattern }) => pattern.test(req.path));
    if (!route && !req.headers.accept?.includes("text/html")) return next();
    res.status(route ? 200 : 404);
    const shown = route?.isForUsers === false ? documentText.replace(ROOT, WAITING) : documentText;
    const ofRoute = shown.replace("</head>", () => `${route?.links ?? ""}</head>`);
    res.type("html").send(ofRoute.replaceAll(NONCE_PLACEHOLDER, styleNonce(res, await framersOf(req.path))));
  };
}

function readIn(dir: string, name: string): string | null {
  const file = path.join(dir, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

const routesSchema = z.array(
  z.object({ path: z.string(), isForUsers: z.boolean(), scripts: z.array(z.string()), styles: z.array(z.string()) }),
);

const ROOT = '<div id="root">';
/** What whoever has a slow line reads until the scripts are there. */
const WAITING = `${ROOT}<main class="plain-column"><p class="plain-text">One moment</p></main>`;

/** Who is signed in is asked while the scripts come. */
const WHO = '<link rel="preload" as="fetch" crossorigin href="/trpc/auth.status">';

/** What the path of each route looks like, `$name` standing for any one part, and what its document asks for at once. */
function routesIn(json: string | null): { pattern: RegExp; isForUsers: boolean; links: string }[] {
  return routesSchema.parse(JSON.parse(json ?? "[]")).map(({ path, isForUsers, scripts, styles }) => ({
    pattern: new RegExp(`^${path.replace(/\/$/, "").replace(/\$\w+/g, "[^/.]+")}/?$`),
    isForUsers,
    links: [
      ...(isForUsers ? [WHO] : []),
      ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" nonce="${NONCE_PLACEHOLDER}">`),
      ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" nonce="${NONCE_PLACEHOLDER}">`),
    ].join(""),
  }));
}

function listFiles(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => statSync(path.join(dir, name)).isFile())
    .map((name) => `/${name.split(path.sep).join("/")}`);
}
