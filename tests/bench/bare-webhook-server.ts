// node bare-webhook-server.ts DATA_DIR: an event of the card payment provider with nothing around it: its signature is
// verified, and it is stored.
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import express from "express";
import { MongoClient } from "mongodb";
import Stripe from "stripe";
import { STRIPE_SECRET } from "../support/stripe/events.ts";

const [dir = ""] = process.argv.slice(2);
const engine = await startEmbeddedMongo({ dir, log: createLogger("error"), join: true });
const stored = new MongoClient(engine.uri)
  .db("evenhand")
  .collection<{ _id: string; type: string; receivedAt: Date }>("bare_events");
const { webhooks } = new Stripe("sk_test_of_the_bare_server");

const app = express();
app.post("/", express.raw({ type: "application/json" }), async (req, res) => {
  const body: unknown = req.body;
  if (!Buffer.isBuffer(body)) return void res.status(400).end();
  const event = webhooks.constructEvent(body, req.headers["stripe-signature"] ?? "", STRIPE_SECRET);
  await stored.insertOne({ _id: event.id, type: event.type, receivedAt: new Date() });
  res.json({ received: true });
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
});
