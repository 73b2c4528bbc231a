import { pino } from "pino";

const SECRET_KEYS = [
  "password",
  "currentPassword",
  "token",
  "secret",
  "code",
  "cookie",
  "authorization",
  "html",
  "text",
  "set-cookie",
];
const redacted = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);

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
