// node bare-slots-server.ts DATA_DIR: what the meetings of the next sixty days would be with nothing around them.
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import express from "express";
import { MongoClient } from "mongodb";

const DAY_MS = 86_400_000;
const [dir = ""] = process.argv.slice(2);
const engine = await startEmbeddedMongo({ dir, log: createLogger("error"), join: true });
const client = new MongoClient(engine.uri);
const database = client.db("evenhand");
const meetings = database.collection("meetings");
const link = await database.collection<{ ownerId: string; mediatorIds: string[] }>("booking_links").findOne();

const app = express();
app.get("/", async (_req, res) => {
  const from = Date.now();
  const startsAt = { $gt: new Date(from - DAY_MS / 3), $lt: new Date(from + 60 * DAY_MS) };
  const filter = { ownerId: link?.ownerId, mediatorIds: { $in: link?.mediatorIds ?? [] }, startsAt, isHolding: true };
  res.json(await meetings.find(filter).sort({ startsAt: 1 }).limit(4000).toArray());
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
});
