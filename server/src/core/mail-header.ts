// The fields of a mail's header, in their order. Pure.

export interface Header {
  /** In lower case. */
  name: string;
  /** In one line. */
  value: string;
}

export const FIELDS_MAX = 500;

export const readHeader = (header: string): Header[] =>
  header
    .replace(/\r\n/g, "\n")
    .replace(/\n[ \t]+/g, " ")
    .split("\n")
    .slice(0, FIELDS_MAX)
    .flatMap((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) return [];
      return [{ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() }];
    });

/** What a mail answers, and what that answered. */
export const referencesIn = (header: string): string =>
  readHeader(header)
    .filter(({ name }) => name === "references")
    .map(({ value }) => value)
    .join(" ");

/** The sender's own fields; below the first of them everything may be theirs. */
export const OF_SENDER = ["from", "to", "cc", "subject", "date", "message-id", "sender", "reply-to", "mime-version"];

/** The fields that are asked for to tell who wrote a mail; a server gives them in the order of the mail. */
export const WHO_WROTE = ["authentication-results", ...OF_SENDER];
