// Who is connected, and what each asks for: counted by address, and by the one that a trusted proxy forwards.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { count, givingWay, type Limit } from "./giving-way.ts";
import { networkOf } from "./rate-limit.ts";

/** An office, a court or a train behind one address opens six for each browser at the most. */
export const CONNECTIONS: Limit = { ofOne: 500, inAll: 4000 };
/** Connections without a request under way: nothing, or a part of its head, has been sent. */
const WAITING: Limit = { ofOne: 100, inAll: 1000 };
/** Connections on which an answer waits that is taken very slowly, or not at all. */
const UNTAKEN: Limit = { ofOne: 50, inAll: 400 };
/** In a second; a phone on a bad line takes more. */
const TAKEN_BYTES_MIN = 1000;

export interface Connection {
  network: string;
  socket: Socket;
  /** Since when no request has been under way on it. */
  since: number;
  /** How much of its answers had been taken when it was last looked at. */
  takenBytes: number;
  /** Since when an answer waits for a slow reader; null while none does. */
  untakenSince: number | null;
  /** The network of each request under way on it: those of a proxy have come from many. */
  requests: string[];
  isClosing: boolean;
  /** The answer to the request that came last. */
  last: ServerResponse | null;
}

export function openConnections() {
  const all = new Map<Socket, Connection>();
  const perNetwork = new Map<string, number>();
  const asked = new Map<string, number>();

  function forget({ socket, network, requests }: Connection): void {
    all.delete(socket);
    count(perNetwork, network, -1);
    for (const asking of requests.splice(0)) count(asked, asking, -1);
  }

  return {
    /** False where its address has too many; a trusted proxy's always fits. */
    admit(socket: Socket, isTrusted: boolean): boolean {
      const network = networkOf(socket.remoteAddress ?? "");
      if (!isTrusted && (perNetwork.get(network) ?? 0) >= CONNECTIONS.ofOne) return false;
      const connection = {
        network,
        socket,
        since: performance.now(),
        requests: [],
        isClosing: false,
        takenBytes: 0,
        untakenSince: null,
        last: null,
      };
      all.set(socket, connection);
      count(perNetwork, network, 1);
      socket.once("close", () => forget(connection));
      return true;
    },

    of: (socket: Socket): Connection | undefined => all.get(socket),

    /** Counts a request until it is answered; gives how many of this network are under way. */
    follow(connection: Connection, network: string, res: ServerResponse): number {
      connection.requests.push(network);
      res.once("close", () => {
        const index = connection.requests.indexOf(network);
        if (index < 0) return;
        connection.requests.splice(index, 1);
        connection.since = performance.now();
        count(asked, network, -1);
      });
      return count(asked, network, 1);
    },

    /** Those that wait for nothing or take nothing, and are too many. */
    look(): Socket[] {
      const waiting = [...all.values()].filter(({ requests }) => requests.length === 0);
      const untaken = [...all.values()].flatMap((connection) => untakenOn(connection));
      return [
        ...givingWay(waiting, { limit: WAITING, worth: ({ since }) => since }),
        ...givingWay(untaken, { limit: UNTAKEN, worth: ({ since }) => since }),
      ];
    },
  };
}

/** What waits on a connection since it was looked at last, a second ago; of a proxy it is that of whoever asked by it. */
function untakenOn(connection: Connection): { network: string; socket: Socket; since: number }[] {
  const { socket, network, requests, takenBytes } = connection;
  const taken = socket.bytesWritten - socket.writableLength;
  const isSlow = socket.writableLength > 0 && taken - takenBytes < TAKEN_BYTES_MIN;
  connection.takenBytes = taken;
  connection.untakenSince = isSlow ? (connection.untakenSince ?? performance.now()) : null;
  const since = connection.untakenSince;
  return since === null ? [] : [{ network: requests[0] ?? network, socket, since }];
}
