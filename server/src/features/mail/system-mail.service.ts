import type { UnsentMail } from "@app/shared/mail";
import { samePerson } from "@app/shared/email-address";
import type { FetchedMail } from "@app/shared/inbox";
import mongoose from "mongoose";
import { PAGE_SIZE } from "@app/shared/product";
import { DAY_MS, now } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { newId } from "../../core/ids.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { settings } from "../../core/settings.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { letsSomebodyIn } from "./access-words.service.ts";
import { senderAddress, senderDomain } from "./sender-address.service.ts";
import { isEmailJsConfigured } from "./senders/emailjs-sender.service.ts";
import { type SystemMailDoc, SystemMailBodyModel, SystemMailModel } from "./system-mail.model.ts";

const KEPT_WITH_LINKS_MS = DAY_MS;
const KEPT_MS = 30 * DAY_MS;

defineDueTime({
  of: "texts of system mails",
  times: ["SystemMailBody.expires_at"],
  aheadMs: KEPT_MS,
  // As long as any from now: it may not have left yet.
  bringBack: (latest) =>
    SystemMailBodyModel.updateMany({ expires_at: mongoose.trusted({ $gt: latest }) }, { $set: { expires_at: latest } }),
});

export interface SystemMail {
  /** By which whoever sends it finds out what became of it; a new one where left out. */
  id?: string;
  /** Whose outbox shows it where it cannot be sent; null for nobody's. */
  ownerId: string | null;
  to: string;
  subject: string;
  text: string;
  /** Whether it carries a link that signs somebody in: then its words are kept for a day only. */
  hasLink: boolean;
  /** By whose practice's mailbox it leaves first, where there is one; never for what lets somebody in or tells of access. */
  byMailboxOf?: string;
  /** Whether it tells of a form that was filled in: where the fallback service is set up, it leaves first as a form. */
  isOfForm?: boolean;
  /** Whoever made the link for somebody, and may hand it to them. */
  linkMadeBy?: string;
}

/** Whether the installation itself has a way for mail to leave; a person's own mailbox is one more for their mail. */
export const isMailConfigured = (): boolean => settings().SYSTEM_SMTP_URL !== undefined || isEmailJsConfigured();

export const bodyPlace = (id: string) => `system_mails:${id}:body`;
defineSealedField({ collection: "system_mail_bodies", path: "text_enc", placeOf: ({ _id }) => bodyPlace(_id) });

/** Stores a mail for delivery, before anything is sent; where it cannot leave it stays in the owner's outbox. */
export async function storeSystemMail(mail: SystemMail, canLeave: boolean, log: Logger): Promise<{ id: string }> {
  const { id = newId() } = mail;
  const state = canLeave ? "queued" : "unsent";
  const expiresAt = new Date(now().getTime() + (mail.hasLink ? KEPT_WITH_LINKS_MS : KEPT_MS));
  await SystemMailBodyModel.create([{ _id: id, text_enc: encrypt(mail.text, bodyPlace(id)), expires_at: expiresAt }]);
  await SystemMailModel.create([
    {
      _id: id,
      ...(mail.ownerId === null ? {} : { owner_id: mail.ownerId }),
      ...(mail.linkMadeBy === undefined ? {} : { link_made_by: mail.linkMadeBy }),
      ...(mail.byMailboxOf === undefined ? {} : { by_mailbox_of: mail.byMailboxOf }),
      ...(mail.isOfForm ? { is_of_form: true } : {}),
      to: mail.to,
      subject: mail.subject,
      message_id: `<${id}@${senderDomain()}>`,
      state,
      reason:
        state === "unsent"
          ? "There is no way to send it: set up SYSTEM_SMTP_URL, or let whoever it is for connect their own mailbox. Mail about access never goes by a mailbox that others read."
          : "",
      due_at: now(),
      created_at: now(),
    },
  ]);
  if (state === "unsent" && settings().isDevelopment)
    log.info({ to: mail.to, subject: mail.subject, body: mail.text }, "mail not sent");
  else log.info({ mailId: id, state }, "system mail stored");
  return { id };
}

/** Which of these are mails of the product itself, by their Message-ID: for their addressee's eyes alone. */
export async function accessMailsAmong(messageIds: readonly string[]): Promise<Set<string>> {
  const wanted = messageIds.filter(Boolean);
  if (wanted.length === 0) return new Set();
  return new Set(await SystemMailModel.distinct("message_id", { message_id: mongoose.trusted({ $in: wanted }) }));
}

/** Whether it comes from the address of the product's own mail, whatever has become of its Message-ID. */
export const isFromProduct = (address: string): boolean => samePerson(address, senderAddress());

/** Whether what a list shows of a mail lets its reader in. */
export const saysIn = ({ subject, preview, from, attachments }: FetchedMail): boolean =>
  [subject, preview, from.name, ...attachments.map(({ name }) => name)].some(letsSomebodyIn);

/** The practice's mails that could not be sent, newest first; a link stands only with whoever made it. */
export async function listUnsent(scope: Scope, { page }: { page: number }) {
  const filter = { owner_id: scope.ownerId, state: mongoose.trusted({ $in: ["unsent", "failed"] as const }) };
  const [docs, total] = await Promise.all([
    SystemMailModel.find(filter)
      .sort({ created_at: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    SystemMailModel.countDocuments(filter),
  ]);
  const texts = await readTexts(docs.map((doc) => doc._id));
  return { items: docs.map((doc) => toUnsentMail(scope, doc, texts.get(doc._id) ?? null)), total, isTotalExact: true };
}

async function readTexts(ids: string[]): Promise<Map<string, string>> {
  const bodies = await SystemMailBodyModel.find({
    _id: mongoose.trusted({ $in: ids }),
    expires_at: mongoose.trusted({ $gt: now() }),
  }).lean();
  return new Map(bodies.map((body) => [body._id, decrypt(body.text_enc, bodyPlace(body._id))]));
}

function toUnsentMail({ userId }: Scope, doc: SystemMailDoc, text: string | null): UnsentMail {
  // Where mail can leave, only its addressee gets it: that they hold the link proves that the address is theirs.
  const isForReader = doc.link_made_by === userId && !isMailConfigured();
  const isLinkLeftOut = text !== null && !isForReader && letsSomebodyIn(text);
  return {
    id: doc._id,
    to: doc.to,
    subject: doc.subject,
    text: isLinkLeftOut ? text.replace(LINK, LEFT_OUT) : text,
    isLinkLeftOut,
    state: doc.state,
    reason: doc.reason,
    createdAt: doc.created_at.toISOString(),
  };
}

/** Every address in it: the mails of the product hold no other that anybody needs. */
const LINK = /https?:\/\/\S+/g;
const LEFT_OUT = "(The link is left out here: it is for the addressee alone.)";
