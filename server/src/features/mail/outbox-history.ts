// What the history says of a mail that somebody wrote: nothing before it has left, because until then it can be stopped.
import { forParty, PRACTICE_ONLY } from "@app/shared/visibility";
import { recordEvent } from "../history/history.service.ts";
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
    },
  );
}
