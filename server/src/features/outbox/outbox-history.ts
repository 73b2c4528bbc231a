// What the history says of a mail that somebody wrote: nothing before it has left, because until then it can be stopped.
import { cutText } from "@app/shared/cut-text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { dayIn } from "@app/shared/days";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { now } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { scopeNow } from "../access/standing.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { askedToTell, namesFor } from "../mail/gate-words.service.ts";
import type { GateProblem } from "../mail/outgoing-gate.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";
import { toldOf } from "./outbox-rights.ts";
import { contentOf } from "./outbox.service.ts";
import { tellLetterSent } from "./sent-letters.service.ts";

/** In the transaction that notes that it left. */
export async function tellSent(mail: OutboxDoc): Promise<void> {
  await tell(mail, (names) => `Message sent to ${names}${confirmedOf(mail)}`);
  const { told, isWritten, to, alsoTo } = contentOf(mail);
  if (!told && !isWritten) return;
  const { ownerId, _id: mailId, sentAt } = mail;
  await tellLetterSent({ ownerId, mailId, addresses: [to, ...alsoTo], sentAt: sentAt ?? now() });
}

/** What its writer confirmed of its words stays with it. */
const confirmedOf = (mail: OutboxDoc): string =>
  contentOf(mail).saysNothingTo.length === 0
    ? ""
    : "; confirmed that it tells those outside the case nothing of the mediation";

/** In the transaction that notes that nobody can tell. */
export const tellUncertain = (mail: OutboxDoc): Promise<void> =>
  tell(mail, (names) => `Message to ${names}: it is not certain whether it was sent`);

async function tell(mail: OutboxDoc, textOf: (names: string) => string): Promise<void> {
  const { told } = contentOf(mail);
  if (!told) return;
  const names = told.writerName ? `${told.names} (written by ${told.writerName})` : told.names;
  const { ownerId, caseId, clientId } = mail;
  await recordEvent(
    // Where somebody else wrote it, only the name of who had it sent is kept with it.
    { ownerId, userId: told.writerName ? "" : mail.createdBy, userName: told.actorName },
    {
      kind: "mail",
      text: textOf(names),
      caseId,
      clientIds: clientId ? [clientId] : [],
      // It names whoever else it went to, and stays when they have nothing to do with this party any more.
      visibility: PRACTICE_ONLY,
      needs: "mail.read",
    },
  );
}

/** In the transaction that stops somebody else's letter: the history says so, and its writer is told. */
export async function tellStopped(by: Scope, mail: OutboxDoc, log: Logger): Promise<void> {
  const { ownerId, clientId, caseId, createdBy } = mail;
  const { told } = contentOf(mail);
  if (!told || createdBy === by.userId) return;
  await recordEvent(by, {
    kind: "mail",
    text: `Message to ${told.names} (written by ${told.writerName || told.actorName}) stopped before it left`,
    caseId,
    clientIds: clientId ? [clientId] : [],
    visibility: PRACTICE_ONLY,
    needs: "mail.read",
  });
  const assigneeId = await toldOf(mail, log);
  if (assigneeId === by.userId) return;
  const dueOn = dayIn(await practiceTimeZone(ownerId), now());
  const title = `${by.userName} stopped a message before it left. Ask them whether it is still to be sent.`;
  await createTasks(systemScope(ownerId), [
    { title: cutText(title, TASK_TITLE_MAX_LENGTH), dueOn, assigneeId, clientId, caseId, isPersonal: true },
  ]);
}

interface WhyNot {
  /** As it stands beside the mail, for everybody who finds it. */
  reason: string;
  /** What the gate had against it. */
  problems: readonly GateProblem[];
}

/** In the transaction that notes that it did not leave: whoever wrote it has to know, and to do something about it. */
export async function tellWriter(mail: OutboxDoc, whyNot: WhyNot, log: Logger): Promise<void> {
  const { ownerId, clientId, caseId } = mail;
  const assigneeId = await toldOf(mail, log);
  const timeZone = await practiceTimeZone(ownerId);
  const told = await toldTo(assigneeId, mail, whyNot, log);
  await createTasks(
    systemScope(ownerId),
    told.map((text) => ({
      title: cutText(text, TASK_TITLE_MAX_LENGTH),
      dueOn: dayIn(timeZone, now()),
      assigneeId,
      clientId,
      caseId,
      // Why it stayed may name files, addresses and people that others may not know.
      isPersonal: true,
    })),
  );
  await tell(mail, (names) => `Message to ${names} did not leave`);
}

/** Names those whom this person may know. */
async function toldTo(userId: string, { ownerId }: OutboxDoc, whyNot: WhyNot, log: Logger): Promise<string[]> {
  const { reason, problems } = whyNot;
  const reader = problems.length > 0 ? await scopeNow({ ownerId, userId }, ["clients.read"], log) : null;
  const asked = reader ? askedToTell(problems, await namesFor(reader, problems)) : [];
  return asked.length > 0 ? asked : [`A message did not leave: ${reason}`];
}
