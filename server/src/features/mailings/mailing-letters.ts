// What each recipient of a mailing gets: the same text with what is theirs in it, and a way to get no more.
import { fieldsOf, mailingTextOf, type MailingValues, withValues } from "@app/shared/mailing-fields";
import { plainText } from "@app/shared/rich-text";
import { escapeHtml, richTextHtml } from "@app/shared/rich-text-html";
import { now } from "../../core/clock.ts";
import { publicUrl } from "../../core/settings.ts";
import { type ClientRecipient, recipientsByIds } from "../clients/client-recipients.service.ts";
import type { OutgoingMail } from "../mail/senders/sender.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { NOT_BY_MAIL, SUPPRESSED } from "./mailing-recipients.ts";
import type { MailingDoc, MailingItemDoc } from "./mailings.model.ts";
import { bodyOf } from "./mailings.service.ts";
import { suppressedOf } from "./suppressions.service.ts";

export interface Addressed {
  item: MailingItemDoc;
  letter: OutgoingMail;
  /** Why it must not go; empty where it may. */
  whyNot: string;
}

/** The text of a mailing, made once for all. */
export async function templateOf(mailing: MailingDoc) {
  const body = bodyOf(mailing);
  const practiceName = await practiceNameOf(mailing.ownerId);
  const { pieces: subject } = mailingTextOf(mailing.subject);
  const { pieces: html } = mailingTextOf(richTextHtml(body));
  const { pieces: text } = mailingTextOf(plainText(body));
  const today = now().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return { subject, html, text, practiceName, today, used: [...fieldsOf(subject), ...fieldsOf(text)] };
}
export type Template = Awaited<ReturnType<typeof templateOf>>;

/** A letter for each of these, as things stand now: who may be mailed may have changed since the mailing was made. */
export async function lettersFor(
  mailing: MailingDoc,
  items: MailingItemDoc[],
  template: Template,
): Promise<Addressed[]> {
  const { ownerId } = mailing;
  const clientIds = items.flatMap(({ clientId }) => clientId ?? []);
  const [suppressed, found] = await Promise.all([
    suppressedOf(
      ownerId,
      items.map(({ address }) => address),
    ),
    recipientsByIds(ownerId, clientIds),
  ]);
  const clients = new Map(found.map((client) => [client.id, client]));
  return items.map((item) => {
    const client = item.clientId ? clients.get(item.clientId) : undefined;
    const values = valuesFor(mailing, item, client, template);
    return {
      item,
      letter: letterTo(mailing, item, client, { template, values }),
      whyNot: suppressed.has(item.address)
        ? SUPPRESSED
        : whyNotTo(
            item,
            client,
            template.used.some((field) => !values[field]),
          ),
    };
  });
}

function whyNotTo(
  { clientId, address }: MailingItemDoc,
  client: ClientRecipient | undefined,
  isMissing: boolean,
): string {
  if (clientId && !client) return "This client’s record is gone.";
  if (client && !client.mayEmail) return NOT_BY_MAIL;
  if (client && client.email !== address) return "The address of this client has changed. Write to the new one.";
  return isMissing ? "The mail uses a name, and there is none for this address." : "";
}

function valuesFor(
  { createdByName }: MailingDoc,
  { name }: MailingItemDoc,
  client: ClientRecipient | undefined,
  { practiceName, today }: Template,
): MailingValues {
  const fullName = client?.displayName ?? name;
  return {
    "client.fullName": fullName,
    "client.firstName": client?.firstName || (fullName.split(" ", 1)[0] ?? ""),
    "practice.name": practiceName,
    "sender.name": createdByName,
    today,
  };
}

const escaped = (values: MailingValues): MailingValues => ({
  "client.fullName": escapeHtml(values["client.fullName"]),
  "client.firstName": escapeHtml(values["client.firstName"]),
  "practice.name": escapeHtml(values["practice.name"]),
  "sender.name": escapeHtml(values["sender.name"]),
  today: escapeHtml(values.today),
});

function letterTo(
  mailing: MailingDoc,
  item: MailingItemDoc,
  client: ClientRecipient | undefined,
  { template, values }: { template: Template; values: MailingValues },
): OutgoingMail {
  const isNeutral = client?.isRestricted ?? false;
  const link = `${publicUrl()}/u/${item.unsubscribeToken}`;
  return {
    fromName: isNeutral ? mailing.createdByName : template.practiceName,
    to: [item.address],
    toName: item.name,
    cc: [],
    // Whoever else looks at the screen of somebody with a safety flag learns nothing from the outside of a mail.
    subject: isNeutral ? `A message from ${mailing.createdByName}` : withValues(template.subject, values),
    body: `${withValues(template.html, escaped(values))}\n<p><a href="${link}">Get no more mailings</a></p>`,
    text: `${withValues(template.text, values)}\n\nGet no more mailings: ${link}\n`,
    isHtml: true,
    attachments: [],
    messageId: item.messageId,
    headers: { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    calendar: null,
  };
}
