// Whether a mail may still leave as far as its writer goes: asked in the moment it leaves, whatever was so when it was written.
import { LETTER_PERMISSIONS, type Permission } from "@app/shared/access";
import { isNotFound } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { accessOrNone } from "../access/access.service.ts";
import { scopeNow } from "../access/standing.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { whyNotByCarrier } from "./leaving-rights.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";

/** Why it must not leave; empty where it may. What the product sends by itself has no writer. */
export async function whyNotByWriter(mail: OutboxDoc, log: Logger): Promise<string> {
  const { ownerId, createdBy, purpose } = mail;
  if (!(await accessOrNone({ ownerId, userId: createdBy }, log)).hasAccess)
    return "The practice has no active subscription. Renew it, then send this again.";
  if (purpose !== "letter") return "";
  const writer = await writerNow(mail, LETTER_PERMISSIONS, log);
  if (writer === "not allowed")
    return "Whoever wrote it may no longer send mail here. Read it, and send it yourself if it is still right.";
  if (writer === "elsewhere") return "Whoever wrote it no longer works on this case. Ask somebody who does.";
  return whyNotByCarrier({ ownerId, mailId: mail._id, carrierId: createdBy }, log);
}

/** Who is told what becomes of it: its writer, as long as they see what it is about, else the owner. */
export async function toldOf(mail: OutboxDoc, log: Logger): Promise<string> {
  const writer = await writerNow(mail, ["clients.read"], log);
  return typeof writer === "string" ? mail.ownerId : writer.userId;
}

/** As whom its writer acts now, where they may do all of this and see what it is about. */
async function writerNow(
  { ownerId, createdBy, writtenBy, clientId, caseId }: OutboxDoc,
  permissions: readonly Permission[],
  log: Logger,
): Promise<Scope | "not allowed" | "elsewhere"> {
  const writer = await scopeNow({ ownerId, userId: writtenBy ?? createdBy }, permissions, log);
  if (!writer) return "not allowed";
  try {
    if (clientId) await assertClientsVisible(writer, [clientId]);
    if (caseId) await getCase(writer, caseId);
  } catch (error) {
    if (isNotFound(error)) return "elsewhere";
    throw error;
  }
  return writer;
}
