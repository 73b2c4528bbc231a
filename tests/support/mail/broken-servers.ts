// Mail servers that are set up wrongly, each on a free port of this machine.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { promisify } from "node:util";

export interface BrokenServer {
  port: number;
  /** What was said to it, in the clear. */
  heard: () => string;
  close(): Promise<void>;
}

export interface Certificate {
  cert: string;
  key: string;
}

interface Options {
  /** Said at once. */
  greeting?: string;
  /** What it answers to a line; undefined for nothing. */
  answer?: (line: string) => string | undefined;
  tls?: Certificate & Pick<TlsOptions, "ciphers" | "dhparam" | "maxVersion">;
  /** On every address of this machine, and not on its own alone. */
  isOpen?: boolean;
}

/** A server that says what it is told to. */
export async function aBrokenServer({ greeting = "", answer, tls, isOpen = false }: Options): Promise<BrokenServer> {
  const sockets = new Set<Socket>();
  let heard = "";
  const talk = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    if (greeting) socket.write(`${greeting}\r\n`);
    socket.on("data", (data) => {
      heard += data.toString();
      for (const line of data.toString().split("\r\n").filter(Boolean)) {
        const said = answer?.(line);
        if (said !== undefined) socket.write(`${said}\r\n`);
      }
    });
  };
  const server = tls ? createTlsServer(tls, talk) : createTcpServer(talk);
  // A handshake that the other side breaks off is what such a test is about.
  server.on("tlsClientError", () => undefined);
  return { port: await listen(server, isOpen), heard: () => heard, close: () => closeAll(server, sockets) };
}

async function listen(server: Server, isOpen: boolean): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, isOpen ? "0.0.0.0" : "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

function closeAll(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** An IMAP server that answers each sign-in like this. */
export const anImapThatSays = (answer: string, capability = "IMAP4rev1 AUTH=PLAIN SASL-IR") =>
  aBrokenServer({
    greeting: `* OK [CAPABILITY ${capability}] ready`,
    answer(line) {
      const [tag = "", command = ""] = line.split(" ");
      if (/^capability$/i.test(command)) return `* CAPABILITY ${capability}\r\n${tag} OK done`;
      if (/^(login|authenticate)$/i.test(command)) return `${tag} ${answer}`;
      return /^logout$/i.test(command) ? `* BYE\r\n${tag} OK` : `${tag} OK done`;
    },
  });

/** A submission server that answers each sign-in like this. */
export const anSmtpThatSays = (answer: string, extensions = ["AUTH PLAIN LOGIN"], isOpen = false) =>
  aBrokenServer({
    isOpen,
    greeting: "220 mail.example.org ESMTP",
    answer(line) {
      if (/^ehlo/i.test(line))
        return ["250-mail.example.org", ...extensions.map((one) => `250-${one}`), "250 SIZE"].join("\r\n");
      if (/^auth/i.test(line)) return answer;
      if (/^starttls/i.test(line)) return "502 5.5.1 Command not implemented";
      return /^quit/i.test(line) ? "221 bye" : "250 ok";
    },
  });

interface CertificateOptions {
  name?: string;
  isExpired?: boolean;
}

/** A certificate that signs itself, for this name. */
export async function aCertificate({
  name = "localhost",
  isExpired = false,
}: CertificateOptions): Promise<Certificate> {
  const dir = await mkdtemp(path.join(tmpdir(), "evenhand-certificate-"));
  const [cert, key] = [path.join(dir, "cert.pem"), path.join(dir, "key.pem")];
  const openssl = (...args: string[]) => promisify(execFile)("openssl", args);
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  try {
    await openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "30",
      ...subject,
      "-keyout",
      key,
      "-out",
      cert,
    );
    const ended = ["-days", "-1", "-copy_extensions", "copy", "-out", cert];
    if (isExpired) await openssl("x509", "-in", cert, "-signkey", key, ...ended);
    return { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** An address of this machine that others see too; undefined without a network. */
export const outerAddress = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === "IPv4")?.address;
