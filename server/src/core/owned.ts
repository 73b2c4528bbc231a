import type { Aggregate, PipelineStage, Query, Schema } from "mongoose";
import { readerGone } from "./caller.ts";
import { isInTransaction } from "./open-transaction.ts";

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
  schema.pre(["find", "findOne", "countDocuments", "distinct"], function (this: Query<unknown, unknown>) {
    const signal = endOfReading();
    if (signal) this.setOptions({ signal });
  });
  schema.pre("aggregate", function (this: Aggregate<unknown>) {
    const signal = endOfReading();
    if (signal) this.option({ signal });
    if (!isOwner(firstMatch(this.pipeline())?.["ownerId"]))
      throw new Error("aggregate without ownerId in the first $match");
  });
  schema.pre("bulkWrite", () => {
    throw new Error("bulkWrite cannot be checked for ownerId: use single operations");
  });
}

/** When the database need not look any more. A transaction ends as a whole. */
const endOfReading = (): AbortSignal | undefined => (isInTransaction() ? undefined : readerGone());

function firstMatch(pipeline: PipelineStage[]): Record<string, unknown> | undefined {
  const [first] = pipeline;
  return first && "$match" in first ? first.$match : undefined;
}
