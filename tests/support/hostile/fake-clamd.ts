// A daemon that speaks clamd's INSTREAM and knows one virus; it can be told to fall silent.
import { createServer } from "node:net";

export const A_VIRUS = "this-is-a-virus-for-tests";

export interface FakeClamd {
  address: string;
  /** How many contents it looked at. */
  count: () => number;
  /** Hangs up on whoever asks from now on. */
  setDown: (isDown: boolean) => void;
  /** Forgets its virus, or knows it again. */
  setBlind: (isBlind: boolean) => void;
  /** Takes what it is given and says nothing from now on. */
  setSilent: (isSilent: boolean) => void;
  close: () => Promise<void>;
}

export async function startFakeClamd(): Promise<FakeClamd> {
  let [count, isDown, isBlind, isSilent] = [0, false, false, false];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (isDown) return socket.destroy();
    let given = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      given = Buffer.concat([given, chunk]);
      const content = contentIn(given);
      if (content === null || isSilent) return;
      count += 1;
      socket.end(!isBlind && content.includes(A_VIRUS) ? "stream: Test.Virus FOUND\0" : "stream: OK\0");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    address: `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    count: () => count,
    setDown: (value) => (isDown = value),
    setSilent: (value) => (isSilent = value),
    setBlind: (value) => (isBlind = value),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** What was sent, once its end has come. */
function contentIn(given: Buffer): Buffer | null {
  const command = Buffer.from("zINSTREAM\0");
  if (given.length < command.length || !given.subarray(0, command.length).equals(command)) return null;
  const parts: Buffer[] = [];
  for (let at = command.length; at + 4 <= given.length;) {
    const length = given.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts);
    parts.push(given.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
