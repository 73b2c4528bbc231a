import path from "node:path";

const FEATURES = path.resolve(import.meta.dirname, "../../server/src/features");
const OWNER_FILTER = /ownerId: scope\.ownerId|owner_id: scope\.ownerId|_id: scope\.ownerId/g;
const NOTHING = "...{}";

export const ownerFilters = (source: string): RegExpExecArray[] => [...source.matchAll(OWNER_FILTER)];

/** A vite plugin that takes out one owner filter, named as `feature/file.service.ts#index`. */
export function mutantPlugin(mutant: string) {
  const [file = "", index = "0"] = mutant.split("#");
  return {
    name: "mutant",
    enforce: "pre" as const,
    transform(source: string, id: string) {
      if (path.normalize(id) !== path.join(FEATURES, file)) return undefined;
      const filter = ownerFilters(source)[Number(index)];
      if (!filter) throw new Error(`${mutant} is not there`);
      return source.slice(0, filter.index) + NOTHING + source.slice(filter.index + filter[0].length);
    },
  };
}
