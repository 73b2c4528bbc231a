// A real SMTP server on this machine that takes mail and misbehaves as a test asks it to.
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

export interface TestSmtp {
  port: number;
  received: ReceivedMail[];
  close(): Promise<void>;
}

/** Any user name signs in with this password; anything else is refused. */
export const SMTP_PASSWORD = "secret";

/** A process that is killed breaks off; that is what a test of it is about. */
export const ignore = () => undefined;

/** Takes every mail. Addresses that begin with `reject` are refused for good, those with `grey` for now. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authMethods: ["PLAIN", "LOGIN", "XOAUTH2"],
    // On this machine alone: where TLS is the subject of a test it brings a certificate and switches it on.
    disabledCommands: options.key ? [] : ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (password === SMTP_PASSWORD) done(null, { user: username });
      else done(Object.assign(new Error("Username and password not accepted"), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      if (address.startsWith("reject")) done(Object.assign(new Error("No such user here"), { responseCode: 550 }));
      else if (address.startsWith("grey")) done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
      else done();
    },
    onData(stream, session, done) {
      void text(stream).then((source) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), source });
        done();
      }, ignore);
    },
    ...options,
  });
  server.on("error", ignore);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
