// The errors that commands raise most.
import { MongoError } from "../values.ts";

export const invalidOptions = (message: string): MongoError => new MongoError(72, "InvalidOptions", message);
export const notInTransaction = (message: string): MongoError =>
  new MongoError(263, "OperationNotSupportedInTransaction", message);
export const noSearch = (): MongoError =>
  new MongoError(
    31082,
    "SearchNotEnabled",
    "Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires additional configuration; this server is not MongoDB Atlas.",
  );
