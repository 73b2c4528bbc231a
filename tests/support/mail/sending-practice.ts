import { beforeEach } from "vitest";
import { aPractice } from "../server/people.ts";
import { forAllTests, forEachTest } from "../server/lifetimes.ts";
import { startTestApp } from "../server/test-app.ts";
import { anSmtpForAll } from "./mail-for-tests.ts";
import { connectMailbox } from "./mailbox.ts";

/** The owner's mailbox. */
export const INES = "ines@practice.example.org";

/** For each test of a file a new practice, whose owner's mailbox sends by a server of the file and cannot be read. */
export function aSendingPractice(environment: Record<string, string> = {}) {
  const smtp = anSmtpForAll();
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true", ...environment }));
  const practice = forEachTest(() => aPractice(app));
  beforeEach(() => connectMailbox(practice.ownerId, { email: INES, smtpPort: smtp.port, imapPort: 1 }));
  return { smtp, app, practice };
}
