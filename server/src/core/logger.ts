import { pino } from "pino";

const SECRET_KEYS = [
  "password",
  "currentPassword",
  "token",
  "secret",
  "cookie",
  "authorization",
  "html",
  "text",
  "set-cookie",
];
const redacted = [
  ...SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
  // Not at every depth: that of an error is what whoever runs the server needs.
  "code",
  "input.code",
];

export type Logger = ReturnType<typeof createLogger>;

/** One JSON object per line on standard output; secrets, the words of a case and whose address it is never stand in it. */
export function createLogger(level: string, to?: pino.DestinationStream) {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redacted, censor: "[redacted]" },
    serializers: { err: shownError },
  };
  return to ? pino(options, to) : pino(options);
}

/** What a database or a mail server says names people; where it was said does not. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const shown = pino.stdSerializers.err(error);
  return { ...shown, message: withoutAddresses(shown.message), stack: withoutAddresses(shown.stack) };
}

const withoutAddresses = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line.startsWith("    at ") ? line : line.split(" ").map(withoutAddress).join(" ")))
    .join("\n");

const withoutAddress = (word: string): string => (word.includes("@") ? "[address]" : word);
