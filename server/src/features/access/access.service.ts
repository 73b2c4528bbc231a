import type { Access } from "@app/shared/subscriptions";
import type { Logger } from "../../core/logger.ts";
import { reportError } from "../support/support.service.ts";
import { type Customer, customerOf, findCustomers, rememberedAccess } from "../subscriptions/subscriptions.service.ts";

const NO_ACCESS: Access = { hasAccess: false, plan: null };
/** A developer's on localhost: plan pro, and no check. */
export const IMPERSONATED: Access = { hasAccess: true, plan: "pro" };

interface Person {
  userId: string;
  ownerId: string;
}

/** The access of a person; where the check itself fails, none, and support hears of it. */
export async function accessOrNone(person: Person, log: Logger): Promise<Access> {
  return accessFromRead(findCustomers(person), person, log);
}

/** The same for a read that is under way already. */
export async function accessFromRead(read: Promise<Customer[]>, person: Person, log: Logger): Promise<Access> {
  try {
    return await rememberedAccess(customerOf(await read, person));
  } catch (error) {
    log.error({ err: error, ownerId: person.ownerId }, "subscription check failed");
    const message = error instanceof Error ? error.message : String(error);
    const report = { component: "Router", message: `The subscription check failed: ${message}` };
    await reportError(report, log, { ...person, isFromPage: false });
    return NO_ACCESS;
  }
}
