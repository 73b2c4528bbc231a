// What the server knows of the built page: which paths it has, and what a browser needs to draw each of them.
import { routePaths } from "./route-paths.ts";

export interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  isEntry?: boolean;
}

export interface PageRoute {
  path: string;
  /** Files beside those that the document names, each after those that it needs. */
  scripts: string[];
  styles: string[];
  /** Whether it is asked who is signed in before anything is drawn. */
  isForUsers: boolean;
}

const ROUTE_FILE = /^src\/routes\/(.+?)\.tsx\b/;

/** Every route of the page, with what its document tells the browser to fetch at once. */
export function pageRoutes(manifest: Record<string, Chunk>): PageRoute[] {
  const named = filesOf(
    manifest,
    Object.keys(manifest).filter((key) => manifest[key]?.isEntry),
  );
  return routePaths().map((path) => {
    const keys = chunksOf(manifest, path);
    const { scripts, styles } = filesOf(manifest, keys);
    return {
      path,
      isForUsers: keys.some((key) => idOf(key) === "_protected"),
      scripts: [...scripts].filter((file) => !named.scripts.has(file)),
      styles: [...styles].filter((file) => !named.styles.has(file)),
    };
  });
}

/** The chunks of the layouts around a route, and of itself. */
function chunksOf(manifest: Record<string, Chunk>, path: string): string[] {
  const keys = Object.keys(manifest).filter((key) => ROUTE_FILE.test(key));
  const ids = keys.map(idOf).filter((id) => pathOf(id) === path && !id.split("/").at(-1)?.startsWith("_"));
  const isNeeded = (id: string) => ids.some((own) => own === id || own.startsWith(`${id}/`));
  return keys.filter((key) => isNeeded(idOf(key)));
}

const idOf = (key: string): string => ROUTE_FILE.exec(key)?.[1] ?? "";

const pathOf = (id: string): string => {
  const parts = id.split(/[/.]/).filter((part) => !part.startsWith("_") && part !== "index");
  return `/${parts.join("/")}`;
};

/** All that these chunks import; what is imported on demand is not among it. */
export function filesOf(
  manifest: Record<string, Chunk>,
  keys: readonly string[],
): { scripts: Set<string>; styles: Set<string> } {
  const seen = new Set<string>();
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const imported of chunk.imports ?? []) add(imported);
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
  };
  for (const key of keys) add(key);
  return { scripts, styles };
}
