// An IMAP server of one mail that signs everybody in, and says what it likes.
import { createServer, type Socket } from "node:net";

type Say = (tag: string, socket: Socket) => void;

export interface HostileImap {
  port: number;
  /** How many bytes were taken from it. */
  taken: () => number;
  /** How often somebody connected. */
  connections: () => number;
  close: () => Promise<void>;
}

const MAIL = "From: priya@example.org\r\nTo: box@practice.example.org\r\nSubject: Honest\r\n\r\n";
const STRUCTURE = '("text" "plain" NIL NIL NIL "7bit" 3 1 NIL NIL NIL NIL)';
/** What it says of its mail, in one answer to whatever was asked of it. */
export const HONEST_FETCH = `* 1 FETCH (UID 1 INTERNALDATE "20-Nov-2026 10:00:00 +0000" BODYSTRUCTURE ${STRUCTURE} BODY[HEADER] {${MAIL.length}}\r\n${MAIL} BODY[1]<0> {3}\r\nHi.)\r\n`;

const HONEST: Record<string, string> = {
  CAPABILITY: "* CAPABILITY IMAP4rev1 IDLE ESEARCH\r\n",
  LIST: '* LIST () "/" INBOX\r\n',
  SELECT: "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\n",
  SEARCH: '* ESEARCH (TAG "x") UID ALL 1\r\n',
  FETCH: HONEST_FETCH,
};

/** Commands that are not named are answered as any server would. */
export async function aHostileImap(says: Record<string, Say> = {}): Promise<HostileImap> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let takenBefore = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      takenBefore += takenFrom(socket);
    });
    socket.write("* OK [CAPABILITY IMAP4rev1 IDLE ESEARCH] ready\r\n");
    let idle = "";
    socket.on("data", (data) => {
      for (const line of data.toString().split("\r\n")) {
        if (line.endsWith(" IDLE")) idle = line.replace(" IDLE", "");
        if (line === "DONE") socket.write(`${idle} OK done\r\n`);
        else if (line) answer(socket, line);
      }
    });
  });
  function answer(socket: Socket, line: string): void {
    const words = line.split(" ");
    const [tag = "", first = ""] = words;
    const name = (first.toUpperCase() === "UID" ? (words[2] ?? "") : first).toUpperCase().replace("EXAMINE", "SELECT");
    const say = says[name];
    // Its mail lets nobody in.
    if (line.includes("resetpassword")) socket.write(`${tag} OK done\r\n`);
    else if (say) say(tag, socket);
    else if (name === "IDLE") socket.write("+ idling\r\n");
    else if (name) socket.write(`${HONEST[name] ?? ""}${tag} OK done\r\n`);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    taken: () => [...sockets].reduce((sum, socket) => sum + takenFrom(socket), takenBefore),
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const takenFrom = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** Says the same again and again, as fast as it is taken, and then the end. */
export function sayMany(socket: Socket, pieces: (string | Buffer)[], count: number, end = ""): void {
  let next = 0;
  const more = () => {
    while (next < count * pieces.length && !socket.destroyed) {
      const piece = pieces[next % pieces.length] ?? "";
      next += 1;
      if (!socket.write(piece)) return void socket.once("drain", more);
    }
    socket.write(end);
  };
  more();
}
