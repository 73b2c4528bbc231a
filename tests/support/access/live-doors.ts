// What the running server really answers to: read from Express itself, so that nothing can be left out.
import type { Express } from "express";
import { procedures } from "./procedures.ts";

interface Layer {
  rawPath?: unknown;
  name?: unknown;
  route?: unknown;
  handle?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  (typeof value === "object" || typeof value === "function") && value !== null;

const layersOf = (router: unknown): Layer[] | null => {
  if (!isObject(router) || !("stack" in router)) return null;
  const { stack } = router;
  return Array.isArray(stack) ? stack.filter(isObject) : null;
};

const pathsIn = (path: unknown): string[] => (Array.isArray(path) ? path.map(String) : [String(path)]);
const joined = (base: string, path: string): string => `${base}${path}`.replace(/\/+$/, "").replaceAll("//", "/");

interface Live {
  /** Method and pattern of each route. */
  routes: string[];
  /** What else looks at a request: where, and its name. */
  passages: string[];
}

/** All that stands in a router, with the routers in it. */
function standingIn(layers: Layer[], base: string): Live {
  const parts = layers.map(({ rawPath, name, route, handle }): Live => {
    if (isObject(route)) {
      const methods = Object.keys(isObject(route["methods"]) ? route["methods"] : {});
      const routes = pathsIn(route["path"]).flatMap((path) =>
        methods.map((method) => `${method.toUpperCase()} ${joined(base, path)}`),
      );
      return { routes, passages: [] };
    }
    const inner = layersOf(handle);
    if (!inner)
      return { routes: [], passages: pathsIn(rawPath).map((path) => `${joined(base, path)}/ ${String(name)}`) };
    const parts = pathsIn(rawPath).map((path) => standingIn(inner, joined(base, path)));
    return { routes: parts.flatMap(({ routes }) => routes), passages: parts.flatMap(({ passages }) => passages) };
  });
  return { routes: parts.flatMap(({ routes }) => routes), passages: parts.flatMap(({ passages }) => passages) };
}

/** Every procedure and route that answers, and whatever else stands between. */
export function liveDoors(app: Express): { doors: string[]; passages: string[] } {
  const { routes, passages } = standingIn(layersOf(app.router) ?? [], "");
  return { doors: [...Object.keys(procedures), ...routes], passages };
}
