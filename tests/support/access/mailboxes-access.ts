import type { Door } from "./door.ts";

const place = { host: "127.0.0.1", port: 993, secure: true, user: "ines@example.org" };

/** Everybody reaches their own mailbox alone, so a stranger's call touches only the stranger's. */
export const MAILBOXES_ACCESS: Record<string, Door> = {
  "mailboxes.get": { access: "protected", stranger: "own" },
  "mailboxes.lookUp": {
    access: "subscribed",
    permission: "mail.send",
    input: () => ({ email: "ines@gmail.com" }),
    stranger: "own",
  },
  "mailboxes.connect": {
    access: "subscribed",
    permission: "mail.send",
    input: () => ({ email: "ines@example.org", password: "x", servers: { imap: place, smtp: place } }),
    stranger: "own",
  },
  "mailboxes.check": { access: "subscribed", permission: "mail.send", stranger: "own" },
  "mailboxes.share": {
    access: "protected",
    input: () => ({ maySend: true, mayRead: false }),
    stranger: "own",
    // Neither has connected a mailbox.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "mailboxes.disconnect": { access: "protected", stranger: "own" },
  "mailboxes.startSignIn": {
    access: "subscribed",
    permission: "mail.send",
    input: () => ({ provider: "Google" }),
    stranger: "own",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "mailboxes.finishSignIn": {
    access: "subscribed",
    permission: "mail.send",
    input: () => ({ status: "success", code: "c", state: "s" }),
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },
};
