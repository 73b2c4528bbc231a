// How much of the server one address may hold: whoever is slow, idle or many leaves room for all others.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Express } from "express";
import { bodiesUnderWay, hasBody } from "./bodies.ts";
import { fairTurns } from "./fair-turns.ts";
import { LOOK_EVERY_MS } from "./giving-way.ts";
import { refusal, RETRY_SECONDS } from "./http-security.ts";
import type { Logger } from "./logger.ts";
import { type Connection, CONNECTIONS, openConnections } from "./open-connections.ts";
import { networkOf } from "./rate-limit.ts";

/** Requests under way, event streams included. */
const REQUESTS_OF_ONE = 500;
/** Browsers and proxies wait for an answer before they ask again on the same connection. */
const REQUESTS_OF_CONNECTION = 8;
/** Begun before others are heard, in turns of networks: to read what is asked takes time too, where very many ask at once. */
const BEGUN_AT_ONCE = 16;
const WITHOUT_BODY = ["GET", "HEAD", "OPTIONS"];
const HEAD_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/** How long whoever still sends has to read an answer before the connection is gone; as often again while much comes. */
const LAST_READ_MS = 2500;
const LAST_READS = 6;
const MUCH_BYTES = 250_000;
const TOLD_EVERY_MS = 60_000;

/** Whether what this address forwards is believed; the second number counts from us (as Express has it). */
type Trusts = (address: string, hop: number) => boolean;

/**
 * The server in front of `app`. Connections are counted by their address, and by the one that is forwarded where it is
 * a trusted proxy's; where too many wait or dribble, those that did so longest give way, so that an address never locks
 * out others, nor for long itself.
 */
export function createHttpServer(app: Express, log: Logger): Server {
  const trusts: Trusts = app.get("trust proxy fn");
  const connections = openConnections();
  const bodies = bodiesUnderWay();
  const report = reporter(log);
  const takeBeginning = fairTurns({ atOnce: BEGUN_AT_ONCE, ofOne: BEGUN_AT_ONCE });

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const connection = connections.of(req.socket);
    const isPipelined = connection && connection.requests.length >= REQUESTS_OF_CONNECTION;
    if (!connection || connection.isClosing || isPipelined) return void req.socket.destroy();
    const address = addressOf(req, trusts);
    const network = networkOf(address);
    const underWay = connections.follow(connection, network, res);
    const before = connection.last;
    connection.last = res;
    const isWithBody = hasBody(req);
    if (isWithBody) {
      bodies.follow(network, req);
      res.once("finish", () => req.complete || endUnread(connection));
    }
    if (underWay > REQUESTS_OF_ONE && !trusts(address, 0)) {
      report("refused");
      return refuse(res, 429, "Too many requests from your network are under way. Wait a moment and try again.");
    }
    // Nothing reads such a body, so nothing is to be asked of anybody before it is here.
    if (isWithBody && WITHOUT_BODY.includes(req.method ?? ""))
      return refuse(res, 400, "This kind of request has no body. Send it without one.");
    const begin = () => {
      const end = takeBeginning({ group: network, one: "" }, () => {
        setImmediate(() => end());
        if (!res.destroyed && !req.socket.destroyed) app(req, res);
      });
    };
    // An answer that stands behind another would not learn that its connection is gone, and hold what it opened for ever.
    if (before && !before.closed) before.once("close", begin);
    else begin();
  }

  // The rate of a body is looked at here, so that there is no time in which all of it has to be there.
  const timeouts = { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: 0, connectionsCheckingInterval: LOOK_EVERY_MS };
  const server = createServer(timeouts, serve);
  server.maxConnections = CONNECTIONS.inAll;
  server.on("drop", () => report("refused"));
  server.on("connection", (socket) => {
    if (connections.admit(socket, trusts(socket.remoteAddress ?? "", 0))) return;
    report("refused");
    socket.destroy();
  });
  // Event streams rest for good; whoever does not take what was written to them, or has nothing open, goes.
  server.setTimeout(IDLE_TIMEOUT_MS, (socket) => {
    if (socket.writableLength > 0 || !connections.of(socket)?.requests.length) socket.destroy();
  });
  cutNowAndThen(server, () => {
    for (const socket of [...connections.look(), ...bodies.look()]) {
      report("cut");
      socket.destroy();
    }
  });
  return server;
}

function cutNowAndThen(server: Server, cut: () => void): void {
  const timer = setInterval(cut, LOOK_EVERY_MS).unref();
  server.once("close", () => clearInterval(timer));
}

/** Who asks: the first on the way here whom nobody has to believe (as Express takes `req.ip`). */
function addressOf({ socket, headers }: IncomingMessage, trusts: Trusts): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
  const way = [socket.remoteAddress ?? "", ...forwarded.map((one) => one.trim()).toReversed()].filter(Boolean);
  return way.find((address, hop) => !trusts(address, hop)) ?? way.at(-1) ?? "";
}

/** Its request was answered before all of it came. */
function endUnread(connection: Connection): void {
  const { socket } = connection;
  connection.isClosing = true;
  // Closed while more arrives, the connection would be reset, and the answer lost before it is read.
  socket.end();
  let bytesSeen = socket.bytesRead;
  let reads = 1;
  const look = () => {
    const isMuch = socket.bytesRead - bytesSeen >= MUCH_BYTES;
    bytesSeen = socket.bytesRead;
    reads += 1;
    if (!isMuch || reads > LAST_READS) socket.destroy();
  };
  // What arrived while the process stood still is taken first.
  const timer = setInterval(() => setImmediate(look), LAST_READ_MS).unref();
  socket.once("close", () => clearInterval(timer));
}

function refuse(res: ServerResponse, status: 400 | 429, message: string): void {
  const code = status === 400 ? "BAD_REQUEST" : "TOO_MANY_REQUESTS";
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  res.writeHead(status, status === 429 ? { ...headers, "Retry-After": RETRY_SECONDS } : headers);
  res.end(JSON.stringify(refusal(code, status, message)));
}

/** Tells whoever runs the server that connections had to go, but not of each. */
function reporter(log: Logger): (what: "refused" | "cut") => void {
  let counts = { refused: 0, cut: 0 };
  let toldAt = -Infinity;
  return (what) => {
    counts[what] += 1;
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    log.warn(counts, "connections were slow or too many, and gave way");
    counts = { refused: 0, cut: 0 };
  };
}
