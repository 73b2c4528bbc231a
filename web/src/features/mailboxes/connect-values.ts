// What stands in the form that connects a mailbox, before the server has checked it.
import type { ConnectedMailbox, MailProblem, MailServers } from "@app/shared/mailboxes";

interface ServerValues {
  host: string;
  port: string | number;
  secure: boolean;
  user: string;
}

export type Side = "imap" | "smtp";

export interface ConnectValues {
  email: string;
  password: string;
  ca: string;
  servers: Record<Side, ServerValues>;
}

/** The usual ports: encrypted from the start, and after the greeting. */
export const PORTS: Record<Side, { tls: number; upgraded: number }> = {
  imap: { tls: 993, upgraded: 143 },
  smtp: { tls: 465, upgraded: 587 },
};

const emptyServers = (email: string): Record<Side, ServerValues> => ({
  imap: { host: "", port: PORTS.imap.tls, secure: true, user: email },
  smtp: { host: "", port: PORTS.smtp.tls, secure: true, user: email },
});

/** The password is asked for again each time: it goes to no other server than the one it was given for. */
export const valuesOf = (connected: ConnectedMailbox | null, email: string): ConnectValues => ({
  email: connected?.email ?? email,
  password: "",
  ca: connected?.ca ?? "",
  servers: connected?.servers ?? emptyServers(email),
});

/** The servers to show for an address; those that nobody found are left to be filled in. */
export const serversFor = (servers: MailServers | null, email: string): Record<Side, ServerValues> =>
  servers ?? emptyServers(email);

/** The other kind of encryption, and with a usual port the usual port of that. */
export function withSecurity(side: Side, server: ServerValues, secure: boolean): ServerValues {
  const { tls, upgraded } = PORTS[side];
  const isUsual = [tls, upgraded].includes(Number(server.port));
  return { ...server, secure, port: isUsual ? (secure ? tls : upgraded) : server.port };
}

/** What is wrong, and what to do, at each field that is to blame. */
export function fieldMessages(problems: readonly MailProblem[]): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { side, field, what, whatToDo } of problems) {
    const isOfForm = field === "email" || field === "password" || field === "ca";
    if (field !== "") messages[isOfForm ? field : `servers.${side}.${field}`] = `${what} ${whatToDo}`;
  }
  return messages;
}

export const isOfServers = (path: string): boolean => path === "ca" || path.startsWith("servers.");
