import { z } from "zod";
import type { SendDetails } from "@app/shared/mail-payload";
import { mailboxOf, providerAccountOf } from "../../mailboxes/mailbox-access.service.ts";
import { callGateway, gatewayMessage } from "../functions-client.service.ts";
import { mailOf, type PassedMail } from "../outgoing-gate.service.ts";
import { credentialsNotFound, type OutgoingMail, SendError, type Sender, tokenNotFound } from "./sender.service.ts";

const replySchema = z.looseObject({
  success: z.boolean().optional(),
  messageId: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
});

/** The same mailboxes, reached by a mail gateway that is kept elsewhere. */
export const gatewaySenders: { mailbox: Sender; provider: Sender } = {
  mailbox: { method: "IMAP", name: "IMAP", send: sendFromMailbox },
  provider: { method: "Aurinko", name: "Aurinko", send: sendFromProvider },
};

async function sendFromMailbox(userId: string, passed: PassedMail): Promise<SendDetails> {
  const mail = mailOf(passed);
  const mailbox = await mailboxOf(userId);
  if (!mailbox) throw credentialsNotFound();
  const message = gatewayMessage({ name: mail.fromName, address: mailbox.email }, mail);
  return detailsOf(await callGateway("imap-send", { userId, message }), mail);
}

async function sendFromProvider(userId: string, passed: PassedMail): Promise<SendDetails> {
  const mail = mailOf(passed);
  const account = await providerAccountOf(userId);
  if (!account) throw tokenNotFound();
  const message = gatewayMessage({ name: mail.fromName, address: account.email }, mail);
  const payload = { userId, message: { ...message, name: mail.fromName } };
  return detailsOf(await callGateway("provider-send", payload), mail);
}

function detailsOf(answer: unknown, { messageId }: OutgoingMail): SendDetails {
  const reply = replySchema.safeParse(answer);
  if (!reply.success) return { messageId };
  const { success, error, message } = reply.data;
  if (success === false) throw new SendError(error ?? message ?? "The mail gateway refused the mail.");
  return { messageId: reply.data.messageId ?? messageId };
}
