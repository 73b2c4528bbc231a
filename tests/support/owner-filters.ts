import path from "node:path";

const FEATURES = path.resolve(import.meta.dirname, "../../server/src/features");
const OWNER_FILTER = /ownerId: scope\.ownerId|owner_id: scope\.ownerId|_id: scope\.ownerId/g;

/** The names of the owner filters in a file, as `feature/file.service.ts#index`. */
export const ownerFilters = (file: string, source: string): string[] =>
  [...source.matchAll(OWNER_FILTER)].map((_, index) => `${file}#${index}`);

/** A vite plugin that asks, each time a service comes to an owner filter, whether it is kept this time. */
export function ownerFiltersPlugin() {
  return {
    name: "owner-filters",
    enforce: "pre" as const,
    transform(source: string, id: string) {
      if (!id.startsWith(FEATURES) || !id.endsWith(".service.ts")) return undefined;
      const file = path.relative(FEATURES, id);
      let index = 0;
      return source.replace(
        OWNER_FILTER,
        (filter) => `...(globalThis.isKept("${file}#${index++}") ? { ${filter} } : {})`,
      );
    },
  };
}
