// node bare-submit-server.ts DATA_DIR: a form that is sent in with nothing around it: its token is looked at and used up,
// and what was answered is stored.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import express from "express";
import { MongoClient } from "mongodb";
import { z } from "zod";

const [dir = ""] = process.argv.slice(2);
const engine = await startEmbeddedMongo({ dir, log: createLogger("error"), join: true });
const database = new MongoClient(engine.uri).db("evenhand");
const stored = database.collection<{ _id: string }>("bare_submissions");
const used = database.collection<{ _id: string; usedAt: Date }>("bare_form_tokens");
const key = randomBytes(32);
const sign = (issued: string) => createHmac("sha256", key).update(issued).digest("base64url");
const sentSchema = z.object({ id: z.string(), token: z.string(), answers: z.record(z.string(), z.unknown()) });

function isOurs(token: string): boolean {
  const [time = "", nonce = "", signature = ""] = token.split(".");
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(`${time}.${nonce}`))];
  return given.length === right.length && timingSafeEqual(given, right);
}

const app = express();
app.use(express.json());
app.get("/", (_req, res) => {
  const issued = `${Date.now().toString(36)}.${randomBytes(16).toString("base64url")}`;
  res.json({ token: `${issued}.${sign(issued)}` });
});
app.post("/", async (req, res) => {
  const { id, token, answers } = sentSchema.parse(req.body);
  if (!isOurs(token)) return void res.status(412).end();
  await used.insertOne({ _id: createHash("sha256").update(token).digest("hex"), usedAt: new Date() });
  const at = new Date();
  await stored.insertOne(Object.assign({ _id: id }, { answers, submittedAt: at, savedAt: at, status: "submitted" }));
  res.json({ state: "sent", at: at.toISOString() });
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
});
