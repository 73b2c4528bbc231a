import type { Aggregate, PipelineStage, Query, Schema } from "mongoose";

const isOwner = (value: unknown) => typeof value === "string" && value !== "";

/**
 * Mongoose plugin for everything that belongs to a practice: a query that does not name its owner never reaches the
 * database. The visible exception, for look-ups by a public link, is `.setOptions({ anyOwner: true })`.
 */
export function owned(schema: Schema): void {
  schema.add({ ownerId: { type: String, required: true, immutable: true } });
  schema.pre(
    /^(find|count|distinct|update|replace|delete|estimated)/,
    { query: true, document: false },
    function (this: Query<unknown, unknown>) {
      if (this.getOptions()["anyOwner"] !== true && !isOwner(this.getFilter()["ownerId"])) {
        throw new Error(`${this.model.modelName} queried without ownerId`);
      }
    },
  );
  schema.pre("aggregate", function (this: Aggregate<unknown>) {
    if (!isOwner(firstMatch(this.pipeline())?.["ownerId"]))
      throw new Error("aggregate without ownerId in the first $match");
  });
  schema.pre("bulkWrite", () => {
    throw new Error("bulkWrite cannot be checked for ownerId: use single operations");
  });
}

function firstMatch(pipeline: PipelineStage[]): Record<string, unknown> | undefined {
  const [first] = pipeline;
  return first && "$match" in first ? first.$match : undefined;
}
