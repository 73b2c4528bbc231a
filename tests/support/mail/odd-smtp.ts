// SMTP servers that a library for them would not let be so odd.
import { createServer, type Socket } from "node:net";

export interface OddSmtp {
  port: number;
  close(): Promise<void>;
}

/** Takes a mail from anybody, and cuts the line as soon as this has been said to it ("." for the end of the mail). */
export const anSmtpThatBreaksAt = (line: string): Promise<OddSmtp> =>
  listening((socket) => {
    let isMail = false;
    let rest = "";
    socket.write("220 here\r\n");
    socket.on("data", (chunk) => {
      const lines = (rest + String(chunk)).split("\r\n");
      rest = lines.pop() ?? "";
      for (const said of lines) {
        if (isMail ? said === line : said.startsWith(line)) return void socket.destroy();
        if (!isMail) socket.write(`${answerTo(said)}\r\n`);
        else if (said === ".") socket.write("250 taken\r\n");
        isMail = isMail ? said !== "." : said === "DATA";
      }
    });
  });

/** Bids a mail come and then takes no more of it; says how many are on their way. */
export async function anSmtpThatStopsReading(): Promise<OddSmtp & { mails(): number }> {
  let mails = 0;
  const server = await listening((socket) => {
    socket.write("220 here\r\n");
    socket.on("data", (chunk) => {
      const said = String(chunk).trim();
      socket.write(`${answerTo(said)}\r\n`);
      if (said !== "DATA") return;
      mails += 1;
      socket.pause();
    });
  });
  return { ...server, mails: () => mails };
}

function answerTo(said: string): string {
  if (said.startsWith("EHLO")) return "250-here\r\n250 AUTH PLAIN";
  if (said.startsWith("AUTH")) return "235 welcome";
  return said === "DATA" ? "354 go on" : "250 ok";
}

/** Never falls silent and never comes to the point: a byte a second. */
export const aTarpit = (): Promise<OddSmtp> =>
  listening((socket) => {
    socket.write("220 here\r\n");
    const drip = setInterval(() => socket.write("2"), 1000);
    socket.once("close", () => clearInterval(drip));
  });

async function listening(talk: (socket: Socket) => void): Promise<OddSmtp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
