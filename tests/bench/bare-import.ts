// node bare-import.ts FILE OWNER_ID: reads the file with csv-parse, and stores what the product made of it with
// insertMany in a collection with the same indexes, and nothing else; prints the seconds that took.
import { createReadStream } from "node:fs";
import mongoose from "mongoose";
import { parse } from "csv-parse";
import { withDatabase } from "../../scripts/with-database.ts";

const BATCH = 500;

const [file = "", ownerId = ""] = process.argv.slice(2);

await withDatabase(async () => {
  const clients = mongoose.connection.collection("clients");
  const made = await clients.find({ ownerId }).toArray();
  const bare = mongoose.connection.collection(`bare_${ownerId}`);
  for (const { key, name } of await clients.indexes()) if (name !== "_id_") await bare.createIndex(Object.entries(key));
  const startedAt = performance.now();
  let count = 0;
  const records = createReadStream(file).pipe(parse({ columns: true, relax_column_count: true, relax_quotes: true }));
  for await (const record of records) {
    count += record === null ? 0 : 1;
    if (count % BATCH === 0 && count <= made.length) await bare.insertMany(made.slice(count - BATCH, count));
  }
  await bare.insertMany(made.slice(made.length - (made.length % BATCH)));
  console.log((performance.now() - startedAt) / 1000);
  await bare.drop();
});
