// S63: the log of whoever runs the server says that a mail did not leave, and nothing of whom it was for.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { storeFile } from "@app/server/features/files/files.service";
import { forParty } from "@app/shared/visibility";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anSmtpForAll, officeMail } from "../support/mail/mail-for-tests.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, clientFields, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const MINUTE_MS = 60_000;
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp(officeMail(smtp)));
const practice = forAllTests(() => aPractice(app));

/** A log, and the lines that were written into it. */
function aLog() {
  const lines: string[] = [];
  return { lines, log: createLogger("debug", { write: (line: string) => void lines.push(line) }) };
}

test("S63: a letter that does not leave, because its file is gone or its reader has another address, is logged by its id alone", async () => {
  const { theCase, first, p1 } = await aCase(practice);
  const upload = { name: "Secret bruises.txt", clientId: null, caseId: theCase.id, visibility: forParty(p1.partyId) };
  const file = await storeFile(scopeOf(practice.ownerId), Readable.from(["words"]), upload);
  const letter = aLetterTo(first.email, { clientId: first.id, caseId: theCase.id });
  const ids = [newId(), newId()];
  await practice.api.compose.send.mutate({ ...letter, id: ids[0] ?? "", fileIds: [file.id], sendAt: null });
  const later = { ...letter, id: ids[1] ?? "", subject: "Another", sendAt: null };
  await practice.api.files.remove.mutate({ ids: [file.id] });
  const { log, lines } = aLog();
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  await practice.api.compose.send.mutate(later);
  const { version } = await practice.api.clients.get.query({ id: first.id });
  const moved = clientFields({ firstName: "Priya", lastName: "Nandakumar", email: "moved@example.org", phones: [] });
  await practice.api.clients.update.mutate({ id: first.id, version, client: moved });
  moveTime(2 * MINUTE_MS);
  await deliverCaseMail(log);
  const { items } = await practice.api.outbox.list.query({ clientId: first.id });
  expect(items.map(({ state, reason }) => [state, reason !== ""])).toEqual([
    ["failed", true],
    ["failed", true],
  ]);
  const told = lines.filter((line) => line.includes("case mail not delivered"));
  expect(told.length).toBeGreaterThan(0);
  expect(lines.join("")).not.toMatch(/@|Secret bruises|Priya|Nandakumar/);
});

test("S63: an error of a database or a mail server, when it is logged, keeps what happened and where, and no address", () => {
  const { log, lines } = aLog();
  const error = new Error('dup key: { email: "priya@example.org" }\nat 550 <owen@example.org>: refused', {
    cause: new Error("ines@example.org is unknown"),
  });
  log.error({ err: error }, "a job failed");
  const line = lines.join("");
  expect(line).toContain("dup key");
  expect(line).toContain("logged-mail.test.ts");
  expect(line).not.toContain("example.org");
});
