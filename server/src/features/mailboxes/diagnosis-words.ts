// What the rules of a diagnosis work on, and how they say what they found.
import type { MailProblem } from "@app/shared/mailboxes";
import type { MailProvider } from "./mail-providers.service.ts";

/** What stands at a port that did not talk as it should. */
export interface Found {
  speaksTls: boolean;
  /** The first line it says in the clear; empty where it says nothing. */
  greeting: string;
}

export interface Attempt {
  side: "imap" | "smtp";
  host: string;
  port: number;
  secure: boolean;
  provider: MailProvider | undefined;
  found?: Found | undefined;
}

export interface Diagnosis extends MailProblem {
  /** The mailbox cannot be used until somebody changes something; otherwise it may work again by itself. */
  isLasting: boolean;
}

export interface Facts {
  code: string;
  message: string;
  said: string;
  status: number;
  isSignIn: boolean;
  responseCode: string;
  refusedHost: string;
}

export type Words = Omit<Diagnosis, "side">;
export type Rule = (facts: Facts, attempt: Attempt) => Words | null;

export const nameOf = ({ provider, host }: Attempt) => provider?.name ?? host;
export const placeOf = ({ host, port }: Attempt) => `${host}, port ${port}`;
export const lasting = (what: string, whatToDo: string, field: Words["field"]): Words => ({
  what,
  whatToDo,
  field,
  isLasting: true,
});
export const passing = (what: string, whatToDo: string, field: Words["field"] = ""): Words => ({
  what,
  whatToDo,
  field,
  isLasting: false,
});

/** The port where mail is usually reached with encryption from the start, and after the greeting. */
export const portsOf = ({ side }: Attempt) =>
  side === "imap" ? { tls: 993, upgraded: 143 } : { tls: 465, upgraded: 587 };
