import { readFileSync } from "node:fs";
import path from "node:path";

const ROUTE_TREE = path.resolve(import.meta.dirname, "../web/src/routeTree.gen.ts");

/** Every route that the page has, as the generated route tree lists them. */
export function routePaths(): string[] {
  const table = /interface FileRoutesByTo \{([^}]*)\}/.exec(readFileSync(ROUTE_TREE, "utf8"))?.[1] ?? "";
  return [...table.matchAll(/["']([^"']+)["']:/g)].map((match) => match[1] ?? "");
}
