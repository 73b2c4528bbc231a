// Addresses that get no more mailings: they said so, their mail came back, or somebody of the practice decided it.
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { foldEmail, mailboxKey, samePerson } from "@app/shared/email-address";
import type {
  addSuppressionSchema,
  listSuppressionsSchema,
  Suppression,
  suppressionPageSchema,
} from "@app/shared/mailings";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict, forbidden, notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { systemScope } from "../../core/system-scope.ts";
import { literally } from "../../core/word-search.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { recordEvents } from "../history/history.service.ts";
import { addressesOfClients } from "../clients/client-recipients.service.ts";
import { type SuppressionDoc, SuppressionModel } from "./suppressions.model.ts";

type AddSuppression = z.output<typeof addSuppressionSchema>;

const toSuppression = ({ _id, address, reason, detail = "", createdAt }: SuppressionDoc): Suppression => ({
  id: _id,
  address,
  reason,
  detail,
  createdAt: createdAt.toISOString(),
});

/**
 * All of the list; somebody who sees assigned clients only sees those, and what they added. To have named an address, in
 * a mailing or here, gives no right to what others said of it.
 */
async function visibleTo(scope: Scope): Promise<QueryFilter<SuppressionDoc>> {
  const { ownerId, userId } = scope;
  if (!scope.isAssignedOnly) return { ownerId };
  const mailboxes = (await addressesOfClients(scope)).map(mailboxKey);
  return { ownerId, $or: [{ addedBy: userId }, { mailbox: mongoose.trusted({ $in: mailboxes }) }] };
}

export async function listSuppressions(
  scope: Scope,
  { page, search }: z.output<typeof listSuppressionsSchema>,
): Promise<z.infer<typeof suppressionPageSchema>> {
  const filter: QueryFilter<SuppressionDoc> = {
    ...(await visibleTo(scope)),
    ...(search ? { address: mongoose.trusted({ $regex: literally(search.toLowerCase()) }) } : {}),
  };
  const [docs, total] = await Promise.all([
    SuppressionModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    SuppressionModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: docs.map(toSuppression), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/**
 * Stops mailings to an address; throws CONFLICT where this person can see that they are stopped already. What they
 * cannot see stands beside their own wish, which is answered as if it were the first.
 */
export async function addSuppression(scope: Scope, { address }: AddSuppression): Promise<Suppression> {
  const one = { mailbox: mailboxKey(address) };
  // Asked first, because a transaction does not go on after a duplicate.
  if (await SuppressionModel.exists({ ...(await visibleTo(scope)), ...one }))
    throw conflict(`${address} gets no mailings already.`);
  const added = await suppress(scope.ownerId, address, { reason: "manual", by: scope });
  if (!added) throw conflict("Somebody else changed this list at the same moment. Try again.");
  return added;
}

/** One on the list, found as everybody finds it. */
export async function getSuppression(scope: Scope, id: string, { address }: AddSuppression): Promise<Suppression> {
  const { items } = await listSuppressions(scope, { page: 1, search: address });
  const suppression = items.find((each) => each.id === id);
  if (!suppression) throw notFound("Address");
  return suppression;
}

/** Takes back that an address gets no mailings. Who sees assigned clients only takes back what they said themselves. */
export async function removeSuppression(scope: Scope, id: string): Promise<void> {
  const one = { ...(await visibleTo(scope)), _id: id };
  const own = scope.isAssignedOnly ? { addedBy: scope.userId } : {};
  const isTaken = await inTransaction(async () => {
    const taken = await SuppressionModel.findOneAndDelete({ ...one, ...own }).lean();
    if (taken) await tellClients(scope, taken.address, `Mailings to ${taken.address} are allowed again`);
    return taken !== null;
  });
  if (isTaken) return;
  if (!(await SuppressionModel.exists(one))) throw notFound("Address");
  throw forbidden("You did not put this address on the list. Ask the owner of the practice to take it off.");
}

interface Wish {
  reason: SuppressionDoc["reason"];
  detail?: string;
  /** Who put it on the list by hand. */
  by?: Scope;
}

const WHY: Record<SuppressionDoc["reason"], string> = {
  unsubscribed: "they said so themselves",
  bounced: "a mail came back",
  manual: "the practice decided it",
};

/** Null where the address was on the list before by the same wish. */
export function suppress(
  ownerId: string,
  text: string,
  { reason, detail = "", by }: Wish,
): Promise<Suppression | null> {
  const address = foldEmail(text);
  const wish = { ownerId, address, addedBy: by?.userId ?? "" };
  return inTransaction(async () => {
    // A transaction does not go on after a duplicate.
    if (await SuppressionModel.exists(wish)) return null;
    const [doc] = await SuppressionModel.create([
      { ...wish, mailbox: mailboxKey(address), reason, detail, createdAt: now() },
    ]);
    await tellClients(by ?? systemScope(ownerId), address, `Mailings to ${address} are stopped: ${WHY[reason]}`);
    return doc ? toSuppression(doc.toObject()) : null;
  }).catch((error: unknown) => {
    if (isDuplicateKey(error)) return null;
    throw error;
  });
}

/** On the page of each client with this address. */
async function tellClients(
  by: Pick<Scope, "ownerId" | "userId" | "userName">,
  address: string,
  text: string,
): Promise<void> {
  const clients = await clientsAtAddresses(by.ownerId, { addresses: [address], ids: [] });
  const own = clients.filter(({ email }) => samePerson(email, address));
  const event = { kind: "mail" as const, caseId: null, visibility: PRACTICE_ONLY, needs: "mail.send" as const, text };
  if (own.length > 0)
    await recordEvents(
      by,
      own.map(({ id }) => ({ ...event, clientIds: [id] })),
    );
}

/** Those of these addresses whose mailbox gets no mailings, however the address on the list is spelled. */
export async function suppressedOf(ownerId: string, addresses: string[]): Promise<Set<string>> {
  const mailboxes = addresses.map(mailboxKey);
  const docs = await SuppressionModel.find(
    { ownerId, mailbox: mongoose.trusted({ $in: mailboxes }) },
    { mailbox: 1 },
  ).lean();
  const suppressed = new Set(docs.map(({ mailbox }) => mailbox));
  return new Set(addresses.filter((address) => suppressed.has(mailboxKey(address))));
}
