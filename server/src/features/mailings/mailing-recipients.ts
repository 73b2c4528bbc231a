// Who gets a mailing, and who does not and why, before anything is sent.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type createMailingSchema, MAILING_RECIPIENTS_MAX } from "@app/shared/mailings";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { recipientsByFilter, recipientsByIds, type ClientRecipient } from "../clients/client-recipients.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { senderDomain } from "../mail/sender-address.service.ts";
import type { MailingItemDoc } from "./mailings.model.ts";
import { assertNotTooMany, type Recipient, recipientSchema } from "./recipients.ts";
import type { work } from "./recipient-list.foreign.ts";

type Source = z.output<typeof createMailingSchema>["source"];

const TOKEN_BYTES = 24;
const LIST_LIMIT_MS = 2000;

const inList = defineForeign<typeof work>({
  file: new URL("./recipient-list.foreign.ts", import.meta.url),
  output: z.array(recipientSchema),
  limitMs: LIST_LIMIT_MS,
  refuse: (why) =>
    badField(
      "csv",
      why === "too-much"
        ? "This list takes too long to read. Send to it in parts."
        : "This list cannot be read. Save it as CSV with commas and try again.",
    ),
});

export const NOT_BY_MAIL = "May not be emailed: see how this client may be reached.";
export const SUPPRESSED = "Gets no mailings: the address is on the list of those who said so.";

export function newItem(
  ownerId: string,
  mailingId: string,
  recipient: Omit<Recipient, "reason">,
  reason: string,
): MailingItemDoc {
  const id = newId();
  return {
    ...recipient,
    _id: id,
    ownerId,
    mailingId,
    state: reason ? "skipped" : "waiting",
    reason,
    attempts: 0,
    isLeaving: false,
    claimedBy: "",
    dueAt: now(),
    messageId: `<${id}@${senderDomain()}>`,
    unsubscribeToken: randomBytes(TOKEN_BYTES).toString("base64url"),
    sentAt: null,
    saidToBounce: null,
  };
}

/** Everybody who was chosen, also those who get nothing. */
export async function recipientsOf(scope: Scope, source: Source): Promise<Recipient[]> {
  const chosen = await chosenBy(scope, source);
  if (chosen.length === 0) throw badField("source", "Choose clients or a list of addresses first.");
  return chosen;
}

async function chosenBy(scope: Scope, source: Source): Promise<Recipient[]> {
  if (source.kind === "csv") return inList(ofPerson(scope), source.csv);
  if (source.kind === "clients") {
    await assertClientsVisible(scope, source.clientIds);
    return (await recipientsByIds(scope.ownerId, source.clientIds)).map(ofClient);
  }
  const found = await recipientsByFilter(
    scope,
    { ...source.filter, sort: "name", isDescending: false },
    MAILING_RECIPIENTS_MAX + 1,
  );
  assertNotTooMany(found.length);
  return found.map(ofClient);
}

const ofClient = ({ id, displayName, email, mayEmail }: ClientRecipient): Recipient => ({
  address: email,
  name: displayName,
  clientId: id,
  reason: email ? (mayEmail ? "" : NOT_BY_MAIL) : "Has no email address.",
});
