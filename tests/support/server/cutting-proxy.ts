// Stands before a mail server, and ends the connection where the server is about to say a certain word. What is said
// stays readable: the offer to encrypt it does not come through.
import { connect, createServer } from "node:net";

const readable = (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replaceAll("STARTTLS", "NOTHING1"), "latin1");

export interface CuttingProxy {
  port: number;
  close(): Promise<void>;
}

export async function startCuttingProxy(to: number, word: string): Promise<CuttingProxy> {
  const server = createServer((socket) => {
    const other = connect(to, "127.0.0.1");
    const end = () => {
      socket.destroy();
      other.destroy();
    };
    socket.on("error", end).on("close", end);
    other.on("error", end).on("close", end);
    socket.pipe(other);
    other.on("data", (bytes: Buffer) => (bytes.includes(word) ? end() : socket.write(readable(bytes))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
