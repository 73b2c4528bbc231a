// Whether a mail may still leave as far as its writer goes: asked in the moment it leaves, whatever was so when it was written.
import { TRPCError } from "@trpc/server";
import { can } from "@app/shared/access";
import type { Logger } from "../../core/logger.ts";
import { actingScope, hasSubscription } from "../auth/acting.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";

const isNotFound = (error: unknown): boolean => error instanceof TRPCError && error.code === "NOT_FOUND";

/** Why it must not leave; empty where it may. What the product sends by itself has no writer. */
export async function whyNotByWriter(mail: OutboxDoc, log: Logger): Promise<string> {
  const { ownerId, createdBy, purpose, clientId, caseId } = mail;
  if (!(await hasSubscription({ ownerId, userId: createdBy }, log)))
    return "The practice has no active subscription. Renew it, then send this again.";
  if (purpose !== "letter") return "";
  const writer = await actingScope(ownerId, createdBy);
  if (!writer) return "Whoever wrote it no longer works here. Read it, and send it yourself if it is still right.";
  if (!can(writer, "mail.send")) return "Whoever wrote it may no longer send mail. Ask the owner of the practice.";
  try {
    if (clientId) await assertClientsVisible(writer, [clientId]);
    if (caseId) await getCase(writer, caseId);
  } catch (error) {
    if (isNotFound(error)) return "Whoever wrote it no longer works on this case. Ask somebody who does.";
    throw error;
  }
  return "";
}
