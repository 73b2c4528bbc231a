// How much of the server one address may hold: whoever is slow, idle or many leaves room for all others.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Express } from "express";
import { refusal } from "./http-security.ts";
import type { Logger } from "./logger.ts";
import { networkOf } from "./rate-limit.ts";

interface Limit {
  /** Of one IPv4 address or /64. */
  ofOne: number;
  inAll: number;
}
/** An office, a court or a train behind one address opens six for each browser at the most. */
const CONNECTIONS: Limit = { ofOne: 500, inAll: 4000 };
/** Connections without a request under way: nothing, or a part of its head, has been sent. */
const WAITING: Limit = { ofOne: 100, inAll: 1000 };
/** Requests whose body is still on its way. */
const BODIES: Limit = { ofOne: 50, inAll: 400 };
/** Requests under way, event streams included. */
const REQUESTS_OF_ONE = 500;

const HEAD_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 1000;
/** Nobody younger than this gives way: so many may come at once. */
const YOUNG_MS = 1000;
/** A body that is slower for long is cut off: the worst line of a phone is faster. */
const SLOWEST_BYTES_PER_MS = 2;
/** How long a body may rest at first, and after much of it came quickly. */
const FIRST_REST_MS = 20_000;
const LONGEST_REST_MS = 60_000;
/** How long whoever still sends has to read an answer before the connection is gone. */
const LAST_READ_MS = 2000;
const TOLD_EVERY_MS = 60_000;
const RETRY_SECONDS = 10;

interface Connection {
  network: string;
  socket: Socket;
  /** Since when no request has been under way on it. */
  since: number;
  /** The network of each request under way on it: those of a proxy have come from many. */
  requests: string[];
  isClosing: boolean;
}

interface Body {
  network: string;
  socket: Socket;
  req: IncomingMessage;
  since: number;
  bytesRead: number;
  /** What it may rest from now on; each byte earns some. */
  restMs: number;
}

/**
 * The server in front of `app`. Connections are counted by their address, and by the one that is forwarded where it is
 * a trusted proxy's; where too many wait or dribble, those that did so longest give way, so that an address never locks
 * out others, nor for long itself.
 */
export function createHttpServer(app: Express, log: Logger): Server {
  const trusts: (address: string, hop: number) => boolean = app.get("trust proxy fn");
  const connections = new Map<Socket, Connection>();
  const connectionsOf = new Map<string, number>();
  const requestsOf = new Map<string, number>();
  const bodies = new Set<Body>();
  const report = reporter(log);

  // The rate of a body is looked at here, so that there is no time in which all of it has to be there.
  const timeouts = { headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: 0, connectionsCheckingInterval: LOOK_EVERY_MS };
  const server = createServer(timeouts, serve);
  server.maxConnections = CONNECTIONS.inAll;
  server.on("drop", () => report("refused"));
  server.on("connection", admit);
  // Event streams rest for good; whoever does not take what was written to them, or has nothing open, goes.
  server.setTimeout(IDLE_TIMEOUT_MS, (socket) => {
    if (socket.writableLength > 0 || !connections.get(socket)?.requests.length) socket.destroy();
  });
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  server.once("close", () => clearInterval(timer));
  return server;

  function admit(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const network = networkOf(address);
    if (!trusts(address, 0) && (connectionsOf.get(network) ?? 0) >= CONNECTIONS.ofOne) {
      report("refused");
      socket.destroy();
      return;
    }
    const connection = { network, socket, since: performance.now(), requests: [], isClosing: false };
    connections.set(socket, connection);
    count(connectionsOf, network, 1);
    socket.once("close", () => forget(connection));
  }

  function forget({ socket, network, requests }: Connection): void {
    connections.delete(socket);
    count(connectionsOf, network, -1);
    for (const asking of requests.splice(0)) count(requestsOf, asking, -1);
  }

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const connection = connections.get(req.socket);
    if (!connection || connection.isClosing) return void req.socket.destroy();
    const address = addressOf(req);
    const network = networkOf(address);
    follow(connection, network, res);
    if (hasBody(req)) followBody(connection, network, { req, res });
    const isOneOfMany = !trusts(address, 0) && (requestsOf.get(network) ?? 0) > REQUESTS_OF_ONE;
    if (isOneOfMany) return refuse(res);
    app(req, res);
  }

  /** Who asks: the first on the way here whom nobody has to believe (as Express takes `req.ip`). */
  function addressOf({ socket, headers }: IncomingMessage): string {
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    const way = [socket.remoteAddress ?? "", ...forwarded.map((one) => one.trim()).toReversed()].filter(Boolean);
    return way.find((address, hop) => !trusts(address, hop)) ?? way.at(-1) ?? "";
  }

  function follow(connection: Connection, network: string, res: ServerResponse): void {
    connection.requests.push(network);
    count(requestsOf, network, 1);
    res.once("close", () => {
      const index = connection.requests.indexOf(network);
      if (index < 0) return;
      connection.requests.splice(index, 1);
      connection.since = performance.now();
      count(requestsOf, network, -1);
    });
  }

  function followBody(
    connection: Connection,
    network: string,
    { req, res }: { req: IncomingMessage; res: ServerResponse },
  ): void {
    const { socket } = connection;
    const since = performance.now();
    bodies.add({ network, socket, req, since, bytesRead: socket.bytesRead, restMs: FIRST_REST_MS });
    res.once("finish", () => {
      if (req.complete) return;
      connection.isClosing = true;
      // Closed while more arrives, the connection would be reset, and the answer lost before it is read.
      socket.end();
      setTimeout(() => socket.destroy(), LAST_READ_MS).unref();
    });
  }

  function refuse(res: ServerResponse): void {
    report("refused");
    const message = "Too many requests from your network are under way. Wait a moment and try again.";
    const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", "Retry-After": RETRY_SECONDS };
    res.writeHead(429, headers).end(JSON.stringify(refusal("TOO_MANY_REQUESTS", 429, message)));
  }

  function look(): void {
    const oldest = performance.now() - YOUNG_MS;
    const waiting = [...connections.values()].filter(({ requests, since }) => requests.length === 0 && since < oldest);
    giveWay(waiting, WAITING, ({ since }) => since);
    for (const body of bodies) {
      if (body.req.complete || body.socket.destroyed) bodies.delete(body);
      else if (!mayRest(body)) cut(body);
    }
    const slow = [...bodies].filter(({ since }) => since < oldest);
    giveWay(slow, BODIES, ({ restMs }) => restMs);
  }

  /** Keeps those that are worth most, as many as fit. */
  function giveWay<One extends { network: string; socket: Socket }>(
    all: One[],
    limit: Limit,
    worth: (one: One) => number,
  ): void {
    const kept = new Map<string, number>();
    let keptInAll = 0;
    for (const one of all.toSorted((a, b) => worth(b) - worth(a))) {
      if (keptInAll >= limit.inAll || (kept.get(one.network) ?? 0) >= limit.ofOne) cut(one);
      else {
        keptInAll += 1;
        count(kept, one.network, 1);
      }
    }
  }

  function cut({ socket }: { socket: Socket }): void {
    report("cut");
    socket.destroy();
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

function count(counts: Map<string, number>, key: string, by: number): void {
  const value = (counts.get(key) ?? 0) + by;
  if (value > 0) counts.set(key, value);
  else counts.delete(key);
}

/** Takes from what it may rest the time since the last look, and adds what arrived in it. */
function mayRest(body: Body): boolean {
  const { req, socket } = body;
  const bytes = socket.bytesRead - body.bytesRead;
  body.bytesRead = socket.bytesRead;
  // What arrived waits for us to take it: its sender can do nothing.
  if (req.readableLength >= req.readableHighWaterMark) return true;
  // At the most the time between two looks: while the process stood still nothing could arrive.
  body.restMs = Math.min(LONGEST_REST_MS, body.restMs + bytes / SLOWEST_BYTES_PER_MS) - LOOK_EVERY_MS;
  return body.restMs > 0;
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
