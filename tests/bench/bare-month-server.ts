// node bare-month-server.ts DATA_DIR: what a month of the calendar would be with nothing around it.
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import express from "express";
import { MongoClient } from "mongodb";

const [dir = ""] = process.argv.slice(2);
const engine = await startEmbeddedMongo({ dir, log: createLogger("error"), join: true });
const client = new MongoClient(engine.uri);
const meetings = client.db("evenhand").collection("meetings");
const practice = await client.db("evenhand").collection<{ _id: string }>("customers").findOne();

const app = express();
app.get("/", async (req, res) => {
  const asked = new URL(req.url, "http://bare").searchParams;
  const at = (name: string) => new Date(asked.get(name) ?? "");
  const filter = { ownerId: practice?._id, startsAt: { $lt: at("to") }, endsAt: { $gt: at("from") } };
  // A meeting lasts at most eight hours, so that the index of the starts serves.
  const begun = { ...filter, startsAt: { ...filter.startsAt, $gt: new Date(at("from").getTime() - 8 * 3_600_000) } };
  res.json(await meetings.find(begun).sort({ startsAt: 1, _id: 1 }).limit(2001).toArray());
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
});
