// Whether a mail may still leave as far as its writer goes: asked in the moment it leaves, whatever was so when it was written.
import { LETTER_PERMISSIONS } from "@app/shared/access";
import { isNotFound } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { accessOrNone } from "../access/access.service.ts";
import { scopeNow } from "../access/standing.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import type { OutboxDoc } from "./outbox.model.ts";

/** Why it must not leave; empty where it may. What the product sends by itself has no writer. */
export async function whyNotByWriter(mail: OutboxDoc, log: Logger): Promise<string> {
  const { ownerId, createdBy, purpose, clientId, caseId } = mail;
  if (!(await accessOrNone({ ownerId, userId: createdBy }, log)).hasAccess)
    return "The practice has no active subscription. Renew it, then send this again.";
  if (purpose !== "letter") return "";
  const writer = await scopeNow({ ownerId, userId: createdBy }, LETTER_PERMISSIONS, log);
  if (!writer)
    return "Whoever wrote it may no longer send mail here. Read it, and send it yourself if it is still right.";
  try {
    if (clientId) await assertClientsVisible(writer, [clientId]);
    if (caseId) await getCase(writer, caseId);
  } catch (error) {
    if (isNotFound(error)) return "Whoever wrote it no longer works on this case. Ask somebody who does.";
    throw error;
  }
  return "";
}
