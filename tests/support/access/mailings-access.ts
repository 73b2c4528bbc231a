import { KEPT_BY_NOBODY } from "@app/server/core/once";
import { newId } from "@app/server/core/ids";
import { createMailing } from "@app/server/features/mailings/mailings.service";
import { setEmailConnection } from "@app/server/features/users/email-connection.service";
import { suppress } from "@app/server/features/suppressions/suppressions.service";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import type { Door } from "./door.ts";
import { scopeOf } from "../server/people.ts";

const permission = "mail.send" as const;

export const MAILINGS_ACCESS: Record<string, Door> = {
  "mailings.list": { access: "subscribed", permission, input: () => ({ page: 1 }), stranger: "own" },
  "mailings.get": {
    access: "subscribed",
    permission,
    input: ({ mailingId }) => ({ id: mailingId }),
    stranger: "missing",
  },
  "mailings.listItems": {
    access: "subscribed",
    permission: ["clients.read", "mail.send"],
    input: ({ mailingId }) => ({ mailingId, page: 1 }),
    stranger: "missing",
  },
  "mailings.getSender": { access: "subscribed", permission, stranger: "own" },
  "mailings.create": {
    access: "subscribed",
    permission,
    input: ({ clientId }) => ({
      id: newId(),
      subject: "We move",
      body: richTextOf("We move."),
      perMinute: 0,
      source: { kind: "clients", clientIds: [clientId] },
    }),
    stranger: "missing",
  },
  "mailings.start": {
    access: "subscribed",
    permission,
    input: ({ mailingId }) => ({ changeId: newId(), id: mailingId }),
    stranger: "missing",
  },
  "mailings.pause": {
    access: "subscribed",
    permission,
    input: ({ sendingMailingId }) => ({ id: sendingMailingId }),
    stranger: "missing",
  },
  "mailings.cancel": {
    access: "subscribed",
    permission,
    input: ({ sendingMailingId }) => ({ id: sendingMailingId }),
    stranger: "missing",
  },
  "mailings.resend": {
    access: "subscribed",
    permission,
    input: ({ sendingMailingId, mailingItemId }) => ({
      changeId: newId(),
      mailingId: sendingMailingId,
      id: mailingItemId,
    }),
    stranger: "missing",
  },
  "mailings.settleBounce": {
    access: "subscribed",
    permission: ["clients.read", "mail.send"],
    input: ({ sendingMailingId, mailingItemId }) => ({
      mailingId: sendingMailingId,
      id: mailingItemId,
      hasBounced: true,
    }),
    stranger: "missing",
  },
  "suppressions.list": {
    access: "subscribed",
    permission: ["clients.read", "mail.send"],
    input: () => ({ page: 1 }),
    stranger: "own",
  },
  "suppressions.add": {
    access: "subscribed",
    permission: ["clients.read", "mail.send"],
    input: () => ({ id: newId(), address: `${newId().toLowerCase()}@example.org` }),
    stranger: "own",
  },
  "suppressions.remove": {
    access: "subscribed",
    permission: ["clients.read", "mail.send"],
    input: ({ suppressionId }) => ({ id: suppressionId }),
    stranger: "missing",
  },
};

/** A mailing that waits, one that is being sent by a process elsewhere, and an address that gets none. */
export async function aMailingTarget(ownerId: string, word: string) {
  const source = { kind: "csv" as const, csv: `value,label\n${word}@example.org,${word}` };
  const mailing = { subject: word, body: richTextOf(word), perMinute: 0, source };
  const { id: mailingId } = await createMailing(scopeOf(ownerId), mailing, KEPT_BY_NOBODY);
  const { id: sendingMailingId } = await createMailing(scopeOf(ownerId), mailing, KEPT_BY_NOBODY);
  const elsewhere = { state: "sending", dueAt: new Date("2100-01-01") };
  const mailings = mongoose.connection.collection<{ _id: string }>("mailings");
  await mailings.updateOne({ _id: sendingMailingId }, { $set: elsewhere });
  const saidToBounce = { address: `${word}@example.org`, reason: "Unknown", isLasting: true, at: new Date() };
  const items = mongoose.connection.collection<{ _id: string; mailingId: string }>("mailing_items");
  const item = await items.findOneAndUpdate(
    { mailingId: sendingMailingId },
    { $set: { state: "uncertain", saidToBounce } },
  );
  // One that takes nothing: without any no mailing is started.
  const email = `box@${word}.example.org`.toLowerCase();
  await setEmailConnection(ownerId, { serviceType: "IMAP", email, logins: [email] });
  const suppression = await suppress(ownerId, `stop${word}@example.org`, { reason: "manual" });
  return { mailingId, sendingMailingId, mailingItemId: item?._id ?? "", suppressionId: suppression?.id ?? "" };
}
