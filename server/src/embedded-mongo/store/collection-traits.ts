// What a collection's options make of it.
import { type Collation, parseCollation } from "../keys/collation.ts";
import { compileFilter, type Filter } from "../query/matcher.ts";
import { type Doc, isDoc } from "../values.ts";
import { numberOf } from "./index-spec.ts";

export type CollectionTraits = {
  collation: Collation | undefined;
  /** Change streams get the documents before and after each change. */
  keepsImages: boolean;
  validator: Filter | undefined;
  /** A view has no documents of its own. */
  view: { on: string; pipeline: Doc[] } | undefined;
  /** A capped collection lets its oldest documents go. */
  capped: { bytes: number; documents: number } | undefined;
};

export function traitsOf(options: Doc): CollectionTraits {
  const spec = options.get("collation");
  const images = options.get("changeStreamPreAndPostImages");
  const validator = options.get("validator");
  const on = options.get("viewOn");
  const pipeline = options.get("pipeline");
  const isCapped = options.get("capped") === true;
  return {
    collation: isDoc(spec) ? parseCollation(spec) : undefined,
    keepsImages: isDoc(images) && images.get("enabled") === true,
    validator: isDoc(validator) && validator.size > 0 ? compileFilter(validator) : undefined,
    view: typeof on === "string" ? { on, pipeline: Array.isArray(pipeline) ? pipeline.filter(isDoc) : [] } : undefined,
    capped: isCapped
      ? { bytes: numberOf(options.get("size")) ?? 0, documents: numberOf(options.get("max")) ?? Infinity }
      : undefined,
  };
}
