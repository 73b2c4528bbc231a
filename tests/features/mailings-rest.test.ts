// A mailing whose mail server does not answer rests, as letters do that wait for the same server.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { mailingTurns } from "@app/server/features/mailings/mailing-run";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aMailingTo } from "../support/mail/mailing-to.ts";
import { anSmtpThatBreaksAt } from "../support/mail/odd-smtp.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;
const EMAIL = "ines@quill.example.org";
const PAUSED = /^The mail server of ines@quill\.example\.org does not answer\. Next try at \d\d:\d\d\.$/;

const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
/** Takes a mail whole and says nothing to it. */
const breaking = forAllTests(() => anSmtpThatBreaksAt("."));
const practice = forEachTest(() => aPractice(app));
// Nobody else sends here.
beforeAll(stopJobs);
beforeEach(async () => {
  await forgetAttempts();
  await connectMailbox(practice.ownerId, { email: EMAIL, smtpPort: breaking.port, imapPort: 1 });
});
afterEach(() => vi.restoreAllMocks());

async function aMailing(count: number): Promise<string> {
  const { id } = await practice.api.mailings.create.mutate(aMailingTo(count, 0).mailing);
  await practice.api.mailings.start.mutate({ id, changeId: newId() });
  return id;
}
const shown = (id: string) => practice.api.mailings.get.query({ id });
const work = () => mailingTurns.onAllDue(log);
const moveServer = (port: number) =>
  EmailCredentialsModel.updateOne({ _id: practice.ownerId }, { $set: { "smtp.port": port } });

test("when its server breaks off, then few are tried, it says until when it waits, and goes on by itself", async () => {
  const id = await aMailing(40);
  await work();
  await work();
  const resting = await shown(id);
  expect(resting).toMatchObject({ state: "sending", reason: expect.stringMatching(PAUSED) });
  expect(resting.counts.waiting).toBeGreaterThanOrEqual(30);

  await moveServer(smtp.port);
  moveTime(MINUTE_MS + 1000);
  await work();
  const { state, reason, counts } = await shown(id);
  expect({ state, reason, sent: counts.sent }).toEqual({ state: "done", reason: "", sent: resting.counts.waiting });
});

test("when a letter by the same mailbox found its server silent, then none of a mailing tries it before its time", async () => {
  const { id: clientId, email } = await practice.api.clients.create.mutate(aClient());
  const letter = aLetterTo(email, { clientId, caseId: null });
  await practice.api.compose.send.mutate({ id: newId(), sendAt: null, ...letter });
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  const id = await aMailing(5);
  await work();
  expect(await shown(id)).toMatchObject({ reason: expect.stringMatching(PAUSED), counts: { waiting: 5 } });

  await moveServer(smtp.port);
  moveTime(3 * MINUTE_MS);
  await work();
  expect(await shown(id)).toMatchObject({ state: "done", reason: "", counts: { sent: 5 } });
});
