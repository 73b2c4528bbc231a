// Requests whose body is still on its way: each may rest as long as what came before has earned.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { givingWay, type Limit, LOOK_EVERY_MS } from "./giving-way.ts";

const BODIES: Limit = { ofOne: 50, inAll: 400 };
/** A body that is slower for long is cut off: the worst line of a phone is faster. */
const SLOWEST_BYTES_PER_MS = 2;
/** How long a body may rest at first, and after much of it came quickly. */
const FIRST_REST_MS = 20_000;
const LONGEST_REST_MS = 60_000;

interface Body {
  network: string;
  socket: Socket;
  req: IncomingMessage;
  since: number;
  bytesRead: number;
  /** What it may rest from now on; each byte earns some. */
  restMs: number;
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

export function bodiesUnderWay() {
  const all = new Set<Body>();
  return {
    follow(network: string, req: IncomingMessage): void {
      const { socket } = req;
      const { bytesRead } = socket;
      all.add({ network, socket, req, since: performance.now(), bytesRead, restMs: FIRST_REST_MS });
    },

    /** The connections of those that are too slow or too many; call it every LOOK_EVERY_MS. */
    look(): Socket[] {
      const slow: Socket[] = [];
      for (const body of all) {
        if (body.req.complete || body.socket.destroyed) all.delete(body);
        else if (!mayRest(body)) slow.push(body.socket);
      }
      return [...slow, ...givingWay(all, { limit: BODIES, worth: ({ restMs }) => restMs })];
    },
  };
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
