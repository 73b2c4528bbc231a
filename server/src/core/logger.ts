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

/** One JSON object per line on standard output; secrets and the words of a case never stand in it. */
export function createLogger(level: string) {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redacted, censor: "[redacted]" },
  });
}
