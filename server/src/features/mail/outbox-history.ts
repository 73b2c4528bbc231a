// What the history says of a mail that somebody wrote: nothing before it has left, because until then it can be stopped.
import { cutText } from "@app/shared/cut-text";
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import { dayIn } from "@app/shared/days";
import { now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import { recordEvent } from "../history/history.service.ts";
import { caseNumbering } from "../practices/practices.service.ts";
import { colleagues } from "../users/users.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";
import { contentOf } from "./outbox.service.ts";

/** In the transaction that notes that it left. */
export const tellSent = (mail: OutboxDoc): Promise<void> => tell(mail, (names) => `Message sent to ${names}`);

/** In the transaction that notes that nobody can tell. */
export const tellUncertain = (mail: OutboxDoc): Promise<void> =>
  tell(mail, (names) => `Message to ${names}: it is not certain whether it was sent`);

async function tell(mail: OutboxDoc, textOf: (names: string) => string): Promise<void> {
  const { told } = contentOf(mail);
  if (!told) return;
  const { ownerId, caseId, clientId, partyId } = mail;
  await recordEvent(
    { ownerId, userName: told.actorName },
    {
      kind: "mail",
      text: textOf(told.names),
      caseId,
      clientIds: clientId ? [clientId] : [],
      visibility: partyId ? forParty(partyId) : PRACTICE_ONLY,
      needs: "mail.read",
    },
  );
}

const TITLE_MAX_LENGTH = 200;

/** In the transaction that notes that it did not leave: whoever wrote it has to know, and to do something about it. */
export async function tellWriter({ ownerId, createdBy, clientId, caseId }: OutboxDoc, reason: string): Promise<void> {
  const writer = (await colleagues(ownerId)).find(({ userId, isActive }) => userId === createdBy && isActive);
  const title = cutText(`A message did not leave: ${reason}`, TITLE_MAX_LENGTH);
  const { timeZone } = await caseNumbering(ownerId);
  await createTasks(systemScope(ownerId), [
    { title, dueOn: dayIn(timeZone, now()), assigneeId: writer ? createdBy : ownerId, clientId, caseId },
  ]);
}
