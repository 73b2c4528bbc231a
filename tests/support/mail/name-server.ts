// A name server of this machine that knows some hosts, and keeps silent about a zone.
import { createSocket } from "node:dgram";
import { isIP } from "node:net";

interface NameServer {
  /** For DNS_SERVERS. */
  place: string;
  /** The names that it was asked for and did not answer, each question counted. */
  unanswered: string[];
  close(): Promise<void>;
}

interface Zones {
  /** What names lead to: addresses, or with a single name that they are another name of. */
  known: Record<string, readonly string[]>;
  /** Names that end so are not answered. */
  silent: string;
}

const HEADER_BYTES = 12;
const TYPES = { a: 1, cname: 5, aaaa: 28 };
const NO_SUCH_NAME = 3;
const ANSWER_FLAGS = 0x8180;

/** Answers questions over UDP (RFC 1035); what it does not know does not exist. */
export async function startNameServer({ known, silent }: Zones): Promise<NameServer> {
  const socket = createSocket("udp4");
  const unanswered: string[] = [];
  socket.on("message", (asked, from) => {
    const { name, type, end } = questionIn(asked);
    if (name.endsWith(silent)) return void unanswered.push(name);
    const answers = answersTo(known, name, type);
    const head = Buffer.alloc(HEADER_BYTES);
    asked.copy(head, 0, 0, 2);
    head.writeUInt16BE(name in known ? ANSWER_FLAGS : ANSWER_FLAGS | NO_SUCH_NAME, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, asked.subarray(HEADER_BYTES, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    place: `127.0.0.1:${socket.address().port}`,
    unanswered,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionIn(asked: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = asked[at] ?? 0; length > 0; length = asked[at] ?? 0) {
    labels.push(asked.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: asked.readUInt16BE(at + 1), end: at + 5 };
}

function answersTo(known: Zones["known"], name: string, type: number): Buffer[] {
  return (known[name] ?? []).flatMap((value) => {
    const family = isIP(value);
    if (family === 0) return [record(name, TYPES.cname, encoded(value)), ...answersTo(known, value, type)];
    const isAsked = type === (family === 4 ? TYPES.a : TYPES.aaaa);
    return isAsked
      ? [record(name, type, family === 4 ? Buffer.from(value.split(".").map(Number)) : bytesOfV6(value))]
      : [];
  });
}

function bytesOfV6(address: string): Buffer {
  const [start = [], end = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => "0");
  return Buffer.from([...start, ...zeros, ...end].map((part) => part.padStart(4, "0")).join(""), "hex");
}

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, "latin1")),
    Buffer.from([0]),
  ]);

function record(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(0, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([encoded(name), fields, data]);
}
