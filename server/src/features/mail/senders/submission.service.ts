// Handing a mail to a server of mail, and finding out what became of it.
import { Readable } from "node:stream";
import type { Transporter } from "nodemailer";
import type { SMTPSentMessageInfo } from "nodemailer/lib/smtp-transport";
import { cutText } from "@app/shared/cut-text";
import type { RawMail } from "./compose.ts";
import { SendError } from "./sender.service.ts";

export type SmtpTransport = Transporter<SMTPSentMessageInfo>;

const CHUNK_BYTES = 64 * 1024;
// A server that answers a byte a second never falls silent, so the whole has an end too: what a slow line needs.
const LIMIT_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 50;
const REASON_MAX_LENGTH = 200;

// Mails of which the server may have had the last byte.
const handedOver = new WeakSet<Buffer>();

/**
 * Makes a transport note when the last bytes of a mail leave. The error of a connection that breaks does not say
 * whether it was before or after, and the one may be sent again while the other may not.
 */
export function noteHandover<Transport extends SmtpTransport>(transport: Transport): Transport {
  transport.use("stream", (mail, done) => {
    const { raw } = mail.data;
    if (Buffer.isBuffer(raw)) mail.message.createReadStream = () => streamOf(raw);
    done();
  });
  return transport;
}

function streamOf(bytes: Buffer): Readable {
  let position = 0;
  return new Readable({
    read() {
      const chunk = bytes.subarray(position, position + CHUNK_BYTES);
      position += CHUNK_BYTES;
      if (position >= bytes.length) handedOver.add(bytes);
      this.push(chunk);
      if (position >= bytes.length) this.push(null);
    },
  });
}

/** Submits a mail; gives the addresses that were refused while others were accepted. Throws SendError. */
export async function submit(transport: SmtpTransport, { envelope, envelopeId, bytes }: RawMail): Promise<string[]> {
  const signal = AbortSignal.timeout(LIMIT_MS + Math.ceil(bytes.length / SLOWEST_BYTES_PER_MS));
  const mail = { envelope, raw: bytes, signal };
  // Of what comes back the headers are enough. It is said only to a server that offers it.
  const dsn = { envid: envelopeId, ret: "HDRS" as const };
  try {
    const { rejected } = await transport
      .sendMail({ ...mail, dsn })
      .catch((error: unknown) => (isOfParameters(error) ? transport.sendMail(mail) : Promise.reject(error)));
    return rejected;
  } catch (error) {
    throw failureOf(error, handedOver.has(bytes));
  }
}

// What a server answers that offers reports and does not know the parameter (RFC 5321, 4.1.1.11).
const UNKNOWN_PARAMETER = [501, 504, 555];

/** Refused before anything of the mail was said. */
const isOfParameters = (error: unknown): boolean =>
  error instanceof Error &&
  "command" in error &&
  error.command === "MAIL FROM" &&
  UNKNOWN_PARAMETER.includes(readFailure(error).responseCode);

interface SmtpFailure {
  code: string;
  /** What the server said, in one line. */
  response: string;
  responseCode: number;
  originalCode: string;
}

function failureOf(error: unknown, isHandedOver: boolean): SendError {
  const failure = readFailure(error);
  const isAnswered = failure.responseCode >= 400;
  if (isHandedOver && !isAnswered) {
    const message =
      "The connection broke before the mail server said whether it took the mail. It may have arrived: look before you send it again.";
    return new SendError(message, { isUncertain: true, isUnanswered: true, cause: error });
  }
  const isUnanswered = !isAnswered && !isOfCertificate(failure);
  const isTemporary = isUnanswered || (isAnswered && failure.responseCode < 500);
  return new SendError(wordsOf(failure), { isTemporary, isUnanswered, cause: error });
}

function readFailure(error: unknown): SmtpFailure {
  const textOf = (name: string): string => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return {
    code: textOf("code"),
    response: cutText(textOf("response").replace(/\s+/g, " "), REASON_MAX_LENGTH),
    responseCode: Number(textOf("responseCode")) || 0,
    originalCode: textOf("originalCode"),
  };
}

const isOfCertificate = ({ code, originalCode }: SmtpFailure): boolean =>
  code === "ETLS" || /CERT|ALTNAME|SIGNATURE|SELF_SIGNED|ISSUER/.test(originalCode);

function wordsOf(failure: SmtpFailure): string {
  const { code, response, originalCode } = failure;
  if (code === "EAUTH") return `The mail server did not accept the user name or the password (${response}).`;
  if (isOfCertificate(failure)) {
    return `The mail server could not prove who it is${originalCode ? ` (${originalCode})` : ""}, so nothing was sent to it.`;
  }
  if (code === "EENVELOPE" && response) return `The mail server refused the recipients or the sender (${response}).`;
  if (response) return `The mail server refused the mail (${response}).`;
  // The same words for every port that does not answer, so that nobody can feel out a network by them.
  return "The mail server could not be reached. Check its name and port, or try again later.";
}
