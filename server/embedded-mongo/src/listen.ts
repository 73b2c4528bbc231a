// Listens for drivers, cuts their bytes into messages and answers one message at a time per connection.
import { createServer, type Server, type Socket } from "node:net";
import { docOf } from "./bson/doc-of.ts";
import { located } from "./bson/fail.ts";
import { type Answerer, clusterTime } from "./commands/dispatch.ts";
import type { ClientConnection } from "./commands/operation.ts";
import type { Engine } from "./engine.ts";
import { type Doc, MongoError } from "./values.ts";
import { encodeReply, parseMessage, type Reply, type Request } from "./wire/message.ts";

export type ListenTarget = { socket: string } | { port: number };
export type WireServer = { address: string; close(): Promise<void> };

const MAX_MESSAGE_BYTES = 48_000_000;
const HEADER_BYTES = 16;

let lastConnectionId = 0;

export async function listen(engine: Engine, target: ListenTarget, answer: Answerer): Promise<WireServer> {
  const sockets = new Set<Socket>();
  let address = "socket" in target ? target.socket : "";
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve({ engine, answer }, socket, address);
  });
  await started(server, target);
  const bound = server.address();
  if (bound && typeof bound === "object") address = `127.0.0.1:${bound.port}`;
  return {
    address,
    close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      return promise;
    },
  };
}

function started(server: Server, target: ListenTarget): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.once("listening", resolve);
  if ("socket" in target) server.listen(target.socket);
  else server.listen(target.port, "127.0.0.1");
  return promise;
}

type Serving = { engine: Engine; answer: Answerer };

function serve(serving: Serving, socket: Socket, address: string): void {
  const closeListeners = new Set<() => void>();
  lastConnectionId += 1;
  const client: ClientConnection = {
    id: lastConnectionId,
    address,
    appName: undefined,
    isClosed: () => socket.destroyed,
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close: () => socket.destroy(),
  };
  let work = Promise.resolve();
  const receive = collectMessages((message) => {
    work = work.then(() => handle(serving, socket, client, message));
  });
  socket.setNoDelay(true);
  socket.on("data", (chunk) => {
    if (!receive(chunk)) socket.destroy();
  });
  // A client that goes away in the middle of something is not a fault of the engine.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const listener of closeListeners) listener();
  });
}

/** Answers false when what arrives cannot be a message. */
function collectMessages(onMessage: (message: Buffer) => void): (chunk: Buffer) => boolean {
  let chunks: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    for (;;) {
      if (size < HEADER_BYTES) return true;
      const [first] = chunks;
      if (first && first.length < 4) chunks = [Buffer.concat(chunks)];
      const length = chunks[0]?.readInt32LE(0) ?? 0;
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES + HEADER_BYTES) return false;
      if (size < length) return true;
      const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      onMessage(bytes.subarray(0, length));
      chunks = size > length ? [bytes.subarray(length)] : [];
      size -= length;
    }
  };
}

async function handle(
  { engine, answer }: Serving,
  socket: Socket,
  client: ClientConnection,
  message: Buffer,
): Promise<void> {
  let request: Request;
  try {
    request = parseMessage(message);
  } catch (error) {
    const fields = failureFields(error);
    socket.write(encodeReply({ requestId: message.readInt32LE(4), isLegacy: false }, { fields }, clusterTime(engine)));
    return;
  }
  const reply = await answer(engine, client, request);
  if (request.expectsReply && !socket.destroyed) socket.write(encodeAnswer(engine, request, reply));
}

function encodeAnswer(engine: Engine, request: Request, reply: Reply): Buffer {
  try {
    return encodeReply(request, reply, clusterTime(engine));
  } catch (error) {
    // A value that a pipeline built may be too deep for BSON.
    return encodeReply(request, { fields: failureFields(error) }, clusterTime(engine));
  }
}

function failureFields(error: unknown): Doc {
  const reason = error instanceof MongoError ? error : located(17, String(error));
  return docOf({ ok: 0, errmsg: reason.message, code: reason.code, codeName: reason.codeName });
}
