// Who gets a mailing, and who does not and why, before anything is sent.
import { randomBytes } from "node:crypto";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { cutText } from "@app/shared/cut-text";
import { mailboxKey } from "@app/shared/email-address";
import { type createMailingSchema, MAILING_RECIPIENTS_MAX } from "@app/shared/mailings";
import { emailSchema } from "@app/shared/text";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { recipientsByFilter, recipientsByIds, type ClientRecipient } from "../clients/client-recipients.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { senderDomain } from "../mail/system-mail.service.ts";
import type { MailingItemDoc } from "./mailings.model.ts";
import { suppressedOf } from "./suppressions.service.ts";

type Source = z.output<typeof createMailingSchema>["source"];
type NewItem = Omit<MailingItemDoc, "sentAt">;

interface Recipient {
  address: string;
  name: string;
  clientId: string | null;
  /** Why this one gets nothing; empty for everybody else. */
  reason: string;
}

const TOKEN_BYTES = 24;
const NAME_MAX_LENGTH = 100;
const ADDRESS_HEADINGS = ["value", "address", "email", "e-mail", "email address", "mail"];
const NAME_HEADINGS = ["label", "name", "full name"];

export const NOT_BY_MAIL = "May not be emailed: see how this client may be reached.";
export const SUPPRESSED = "Gets no mailings: the address is on the list of those who said so.";

/** An item for everybody who was chosen, also for those who get nothing. */
export async function itemsFor(scope: Scope, mailingId: string, source: Source): Promise<NewItem[]> {
  const chosen = await recipientsOf(scope, source);
  if (chosen.length === 0) throw badField("source", "Nobody was chosen. Choose clients or a list of addresses.");
  const suppressed = await suppressedOf(scope.ownerId, chosen.map(({ address }) => address).filter(Boolean));
  const seen = new Set<string>();
  return chosen.map(({ reason, ...recipient }) => {
    const isTwice = seen.has(mailboxKey(recipient.address));
    if (!reason && recipient.address) seen.add(mailboxKey(recipient.address));
    const why =
      reason ||
      (isTwice ? "Stands on the list twice: one mail is enough." : "") ||
      (suppressed.has(recipient.address) ? SUPPRESSED : "");
    return newItem(scope.ownerId, mailingId, recipient, why);
  });
}

function newItem(ownerId: string, mailingId: string, recipient: Omit<Recipient, "reason">, reason: string): NewItem {
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
    dueAt: now(),
    messageId: `<${id}@${senderDomain()}>`,
    unsubscribeToken: randomBytes(TOKEN_BYTES).toString("base64url"),
  };
}

async function recipientsOf(scope: Scope, source: Source): Promise<Recipient[]> {
  if (source.kind === "csv") return recipientsOfCsv(source.csv);
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

/**
 * Recipients of a CSV text: the address under `value` or `email`, the name under `label` or `name`; without headings
 * the first and the second column. Throws BAD_REQUEST where it is no such list.
 */
export function recipientsOfCsv(csv: string): Recipient[] {
  const [first = [], ...rest] = rowsOf(csv);
  const headings = first.map((cell) => cell.trim().toLowerCase());
  const addressAt = headings.findIndex((heading) => ADDRESS_HEADINGS.includes(heading));
  const isHeaded = addressAt >= 0;
  if (!isHeaded && !first.some((cell) => cell.includes("@")))
    throw badField(
      "csv",
      "Name the column of the addresses “value” or “email” in the first row, that of the names “label” or “name”.",
    );
  const nameAt = isHeaded ? headings.findIndex((heading) => NAME_HEADINGS.includes(heading)) : 1;
  const rows = isHeaded ? rest : [first, ...rest];
  assertNotTooMany(rows.length);
  return rows.map((cells) => ofCells(cells[isHeaded ? addressAt : 0] ?? "", cells[nameAt] ?? ""));
}

const rowsSchema = z.array(z.array(z.string()));

function rowsOf(csv: string): string[][] {
  const text = csv.replace(/^\uFEFF/, "");
  const [line = ""] = text.split(/\r?\n/, 1);
  const delimiter = [";", "\t"].find((sign) => line.includes(sign) && !line.includes(",")) ?? ",";
  try {
    return rowsSchema.parse(
      parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true }),
    );
  } catch {
    throw badField("csv", "This list cannot be read. Save it as CSV with commas and try again.");
  }
}

function ofCells(address: string, name: string): Recipient {
  const parsed = emailSchema.safeParse(address);
  const plainName = cutText(name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim(), NAME_MAX_LENGTH);
  if (parsed.success) return { address: parsed.data, name: plainName, clientId: null, reason: "" };
  return {
    address: cutText(address, NAME_MAX_LENGTH),
    name: plainName,
    clientId: null,
    reason: address ? "This is no email address: correct it in the list." : "There is no address in this row.",
  };
}

function assertNotTooMany(count: number): void {
  if (count > MAILING_RECIPIENTS_MAX)
    throw badField(
      "source",
      `These are more than ${MAILING_RECIPIENTS_MAX.toLocaleString("en-GB")} people. Send to them in parts.`,
    );
}
