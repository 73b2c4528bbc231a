// What each recipient of a mailing gets: the same text with what is theirs in it, and a way to get no more.
import { samePerson } from "@app/shared/email-address";
import { fieldsOf, mailingTextOf, type MailingValues, withValues } from "@app/shared/mailing-fields";
import { cleanName, givenName } from "@app/shared/names";
import { plainText } from "@app/shared/rich-text";
import { escapeHtml, richTextHtml } from "@app/shared/rich-text-html";
import { apart } from "../../core/apart.ts";
import { now } from "../../core/clock.ts";
import { isBusy } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { publicUrl } from "../../core/settings.ts";
import { type ClientRecipient, recipientsByIds } from "../clients/client-recipients.service.ts";
import { directoryFor, nameAt, nameOfKnown } from "../mail/gate-people.service.ts";
import { wordsBeside } from "../mail/gate-words.service.ts";
import { type GateProblem, judge, type PassedMail } from "../mail/outgoing-gate.service.ts";
import { STOPS_MAILINGS } from "../mail/neutral-layout.service.ts";
import type { OutgoingMail } from "../mail/senders/sender.service.ts";
import type { Sender } from "./mailing-sender.ts";
import { practiceDates, practiceNameOf } from "../practices/practices.service.ts";
import { NOT_BY_MAIL, SUPPRESSED } from "./mailing-recipients.ts";
import { OF_THE_LIST } from "./recipients.ts";
import type { MailingDoc, MailingItemDoc } from "./mailings.model.ts";
import { bodyOf } from "./mailings.service.ts";
import { suppressedOf } from "../suppressions/suppressions.service.ts";

/** A letter that passed the gate, or why it must not go. */
export type Addressed = { item: MailingItemDoc } & (
  | { letter: PassedMail }
  | { letter: null; whyNot: string; state: "skipped" | "failed" | "put back" }
);

/** The server was busy, which is nothing of theirs. */
const putBack = (item: MailingItemDoc): Addressed => ({ item, letter: null, whyNot: BUSY, state: "put back" });
export const BUSY = "Waiting: the server was busy. It is sent by itself in some minutes.";

/** Whoever has this address may be somebody else than the list says, and its sender may not know who. */
const UNNAMED =
  "Names of a list are used only where its sender may see every client. Take the name out of the text, or ask a colleague to send it.";

/** The product itself cannot write this one. */
const UNFIT =
  "No mail could be made for this recipient. Look at their record, and tell whoever runs this installation.";

/** The text of a mailing, made once for all. */
export async function templateOf(mailing: MailingDoc) {
  const body = bodyOf(mailing);
  const practiceName = await practiceNameOf(mailing.ownerId);
  const { pieces: subject } = mailingTextOf(mailing.subject);
  const { pieces: html } = mailingTextOf(richTextHtml(body));
  const { pieces: text } = mailingTextOf(plainText(body));
  const today = (await practiceDates(mailing.ownerId)).day(now());
  return { subject, html, text, practiceName, today, used: [...fieldsOf(subject), ...fieldsOf(text)] };
}
export type Template = Awaited<ReturnType<typeof templateOf>>;

interface Way {
  template: Template;
  log: Logger;
  /** As whom it is sent now; throws where they may not send it any more. */
  sender: () => Promise<Sender>;
}

/**
 * A letter for each of these, as things stand now: who may be mailed may have changed since the mailing was made. Where
 * one of them cannot be written, the others are.
 */
export async function lettersFor(mailing: MailingDoc, items: MailingItemDoc[], way: Way): Promise<Addressed[]> {
  const { log, template, sender } = way;
  const { named } = await sender();
  const letters: Addressed[] = [];
  const [only, ...others] = items;
  await apart(async () => letters.push(...(await written(mailing, items, { template, named }))), {
    item: { mailingId: mailing._id, recipients: items.length },
    log,
    async setAside() {
      if (only && others.length === 0) letters.push({ item: only, letter: null, whyNot: UNFIT, state: "failed" });
      else for (const item of items) letters.push(...(await lettersFor(mailing, [item], way)));
    },
    putBack: async () => void letters.push(...items.map(putBack)),
  });
  return letters;
}

async function written(
  mailing: MailingDoc,
  items: MailingItemDoc[],
  { template, named }: Pick<Way, "template"> & Pick<Sender, "named">,
): Promise<Addressed[]> {
  const { ownerId } = mailing;
  const clientIds = items.flatMap(({ clientId }) => clientId ?? []);
  const addresses = items.map(({ address }) => address);
  const [suppressed, found, directory] = await Promise.all([
    suppressedOf(ownerId, addresses),
    recipientsByIds(ownerId, clientIds),
    directoryFor({ ownerId, addresses, clientIds, caseIds: [] }),
  ]);
  const clients = new Map(found.map((client) => [client.id, client]));
  const addressed = async (row: MailingItemDoc): Promise<Addressed> => {
    const item = row.clientId
      ? row
      : { ...row, name: named ? nameOfKnown(directory, row.address, named) : nameAt(directory, row) };
    const client = item.clientId ? clients.get(item.clientId) : undefined;
    const values = valuesFor(mailing, item, client, template);
    const isMissing = template.used.some((field) => !values[field]);
    const isUnnamed = isMissing && named !== null && !row.clientId;
    const whyNot = suppressed.has(item.address) ? SUPPRESSED : isUnnamed ? UNNAMED : whyNotTo(item, client, isMissing);
    if (whyNot) return { item, letter: null, whyNot, state: "skipped" };
    const letter = {
      mail: letterTo(item, { template, values }),
      clientId: item.clientId,
      party: null,
      answers: [],
      senderName: mailing.createdByName,
      ...(item.people ? { expected: [{ address: item.address, people: item.people }] } : {}),
    };
    const verdict = await judge(directory, letter, `mailing ${mailing._id}`);
    if (verdict.passes) return { item, letter: verdict.mail };
    return { item, letter: null, whyNot: reasonOf(verdict.problems, item), state: "skipped" };
  };
  // One after the other: where they have to be made neutral, more would not fit in at once.
  const letters: Addressed[] = [];
  for (const item of items)
    letters.push(
      await addressed(item).catch((error: unknown) => {
        if (isBusy(error)) return putBack(item);
        throw error;
      }),
    );
  return letters;
}

/** For a list that more people read than may know the names in it. */
const reasonOf = (problems: readonly GateProblem[], { clientId }: MailingItemDoc): string =>
  problems.some(({ code }) => code === "not_by_mail") ? NOT_BY_MAIL : wordsBeside(problems, clientId);

function whyNotTo(
  { clientId, address }: MailingItemDoc,
  client: ClientRecipient | undefined,
  isMissing: boolean,
): string {
  if (clientId && !client) return "This client’s record is gone.";
  if (client && !client.mayEmail) return NOT_BY_MAIL;
  if (client && !samePerson(client.email, address))
    return "The address of this client has changed. Write to the new one.";
  return isMissing ? OF_THE_LIST.noName : "";
}

function valuesFor(
  { createdByName }: MailingDoc,
  { name }: MailingItemDoc,
  client: ClientRecipient | undefined,
  { practiceName, today }: Template,
): MailingValues {
  const fullName = client?.displayName ?? cleanName(name);
  return {
    "client.fullName": fullName,
    "client.firstName": client ? cleanName(client.firstName) || fullName : givenName(fullName),
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
  item: MailingItemDoc,
  { template, values }: { template: Template; values: MailingValues },
): OutgoingMail {
  const link = `${publicUrl()}/u/${item.unsubscribeToken}`;
  return {
    fromName: template.practiceName,
    to: [item.address],
    toName: item.name,
    cc: [],
    subject: withValues(template.subject, values),
    body: `${withValues(template.html, escaped(values))}\n<p><a href="${link}">${STOPS_MAILINGS}</a></p>`,
    text: `${withValues(template.text, values)}\n\n${STOPS_MAILINGS}: ${link}\n`,
    isHtml: true,
    attachments: [],
    messageId: item.messageId,
    headers: { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    calendar: null,
  };
}
