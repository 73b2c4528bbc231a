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

/** The fields that an envelope is made of. A server's own ENVELOPE takes seconds to read where they are long. */
export const ENVELOPE_FIELDS = [
  "from",
  "sender",
  "reply-to",
  "to",
  "cc",
  "bcc",
  "subject",
  "date",
  "message-id",
  "in-reply-to",
];

/**
 * What senders, their servers and mailing lists write (RFC 4021, 2369, 2919, 3834 and 6376); below the first of them
 * everything may be the sender's. Servers on the way write none of these above their own results.
 */
export const OF_SENDER = [
  ...ENVELOPE_FIELDS,
  "comments",
  "keywords",
  "references",
  "mime-version",
  "dkim-signature",
  "domainkey-signature",
  "content-type",
  "content-transfer-encoding",
  "content-disposition",
  "content-language",
  "content-id",
  "resent-from",
  "resent-sender",
  "resent-to",
  "resent-cc",
  "resent-bcc",
  "resent-date",
  "resent-message-id",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-subscribe",
  "list-post",
  "list-help",
  "list-owner",
  "list-archive",
  "precedence",
  "auto-submitted",
  "importance",
  "priority",
  "sensitivity",
  "user-agent",
  "organization",
  "thread-topic",
  "thread-index",
  "disposition-notification-to",
  "autocrypt",
  "feedback-id",
];

/** The fields that are asked for to tell who wrote a mail; a server gives them in the order of the mail. */
export const WHO_WROTE = ["authentication-results", ...OF_SENDER];
