import { createTransport } from "nodemailer";
import type { SendDetails } from "@app/shared/mail-payload";
import { settings } from "../../../core/settings.ts";
import type { PassedMail } from "../outgoing-gate.service.ts";
import { senderAddress } from "../sender-address.service.ts";
import { asSentFor } from "./by-installation.service.ts";
import { composeMail } from "./compose.ts";
import type { Sender } from "./sender.service.ts";
import { noteHandover, submit } from "./submission.service.ts";

const CONNECT_LIMIT_MS = 10_000;
const SOCKET_LIMIT_MS = 20_000;

export const isSystemServerConfigured = (): boolean => settings().SYSTEM_SMTP_URL !== undefined;

/** The installation's own mail server, where no fallback service is set up. */
export const systemSender = (): Sender => ({
  method: "fallback",
  name: new URL(settings().SYSTEM_SMTP_URL ?? "smtp://localhost").hostname,
  send: sendBySystemServer,
});

async function sendBySystemServer(userId: string, passed: PassedMail): Promise<SendDetails> {
  const mail = await asSentFor(userId, passed);
  const raw = await composeMail({ name: mail.fromName, address: senderAddress() }, mail, {
    group: userId,
    one: userId,
  });
  const transport = noteHandover(
    createTransport({
      url: settings().SYSTEM_SMTP_URL,
      connectionTimeout: CONNECT_LIMIT_MS,
      greetingTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SOCKET_LIMIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  const rejected = await submit(transport, raw).finally(() => transport.close());
  return { messageId: mail.messageId, ...(rejected.length > 0 ? { rejected } : {}) };
}
