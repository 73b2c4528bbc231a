// Where the mail of a file's tests goes: each test begins with none that was received or asked for.
import { afterAll, beforeEach } from "vitest";
import { forAllTests } from "../server/lifetimes.ts";
import { startMailNetwork } from "./mail-mocks.ts";
import { SMTP_PASSWORD, startSmtp, type TestSmtp } from "./smtp-server.ts";

export function anSmtpForAll(...options: Parameters<typeof startSmtp>): TestSmtp {
  const smtp = forAllTests(() => startSmtp(...options));
  beforeEach(() => void (smtp.received.length = 0));
  return smtp;
}

/** What an installation is set up with whose own mail leaves by this server. */
export const installationMail = ({ port }: Pick<TestSmtp, "port">) => ({
  MAIL_ALLOW_PRIVATE_HOSTS: "true",
  SYSTEM_SMTP_URL: `smtp://127.0.0.1:${port}`,
});

/** The same with an address and a password of its own. */
export const officeMail = ({ port }: Pick<TestSmtp, "port">) => ({
  SYSTEM_SMTP_URL: `smtp://office:${SMTP_PASSWORD}@127.0.0.1:${port}`,
  SYSTEM_MAIL_FROM: "office@evenhand.example.org",
});

export function aMailNetworkForAll(): ReturnType<typeof startMailNetwork> {
  const network = startMailNetwork();
  beforeEach(() => network.reset());
  afterAll(() => network.close());
  return network;
}
