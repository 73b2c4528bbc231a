// node bare-clients-list-server.ts DATA_DIR: what clients.list would be with nothing around it.
import { createHash } from "node:crypto";
import { createLogger } from "@app/server/core/logger";
import { startEmbeddedMongo } from "@app/embedded-mongo/start";
import express from "express";
import { MongoClient } from "mongodb";

interface Row {
  _id: string;
}
interface AuthSession extends Row {
  user_id: string;
  owner_id: string;
  expires_at: Date;
}

const ROW = {
  kind: 1,
  firstName: 1,
  lastName: 1,
  organisation: 1,
  email: 1,
  phones: 1,
  safeContact: 1,
  tags: 1,
  status: 1,
  createdAt: 1,
  updatedAt: 1,
};

const [dir = ""] = process.argv.slice(2);
const engine = await startEmbeddedMongo({ dir, log: createLogger("error"), join: true });
const client = new MongoClient(engine.uri);
const database = client.db("evenhand");
const authSessions = database.collection<AuthSession>("auth_sessions");
const byId = (name: string) => database.collection<Row>(name);

const app = express();
app.get("/", async (req, res) => {
  const id = /evenhand=([^;]+)/.exec(req.headers.cookie ?? "")?.[1] ?? "";
  const authSession = await authSessions.findOne({ _id: createHash("sha256").update(id).digest("base64url") });
  if (!authSession || authSession.expires_at < new Date()) return void res.status(401).end();
  const { owner_id: ownerId, user_id: userId } = authSession;
  await Promise.all([
    byId("users").findOne({ _id: userId }),
    byId("customers").findOne({ _id: ownerId }),
    byId("settings").findOne({ _id: ownerId }),
  ]);
  const [items, total] = await Promise.all([
    byId("clients").find({ ownerId, status: "active" }).project(ROW).sort({ sortName: 1, _id: 1 }).limit(20).toArray(),
    byId("client_counts").findOne({ _id: ownerId }),
  ]);
  res.json({ items, total });
});
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
});
