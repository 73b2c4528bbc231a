// Who of those who see only their own cases sees a client, and who of them says how that client is reached.
import { isDeepStrictEqual } from "node:util";
import mongoose from "mongoose";
import { can } from "@app/shared/access";
import type { CreateClient } from "@app/shared/clients";
import { forbidden } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type ClientDoc, ClientModel } from "./clients.model.ts";

/** Where mail, calls and letters to somebody go. */
const WAYS = ["email", "phones", "address", "isAddressConfidential", "safeContact"] as const;
type Reachable = Partial<Pick<CreateClient, (typeof WAYS)[number]>>;

/**
 * In the transaction that saves this change, of a client or of a contact. Throws where it would send what others write to
 * somewhere else: the cases that this person does not see write to the same people.
 */
export function assertMayRedirect(hasHidden: boolean, before: Reachable, after: Reachable): void {
  if (!hasHidden || WAYS.every((way) => isDeepStrictEqual(before[way], after[way]))) return;
  throw forbidden(
    "Others of the practice also keep how this person is reached, so nothing was saved. Ask the owner of the practice or a mediator to change the email, phones, address or safe contact.",
  );
}

/** The same of whoever says that it is right as it stands. */
export function assertMayConfirm(scope: Scope, client: ClientDoc): void {
  if (isKeptByOthers(scope, client))
    throw forbidden(
      "Others of the practice also keep how this person is reached. Ask the owner of the practice or a mediator to look at it.",
    );
}

/** As it is once somebody looked at how they may be reached. */
export const CHECKED: Pick<ClientDoc, "isContactUnchecked" | "contactNeeds" | "contactHeldBy"> = {
  isContactUnchecked: false,
  contactNeeds: "",
  contactHeldBy: [],
};

/** Whether this person may read why nobody contacts them until somebody has looked. */
export const knowsWhy = (scope: Scope, { contactNeeds }: Pick<ClientDoc, "contactNeeds">): boolean =>
  !contactNeeds || can(scope, contactNeeds);

/** Whether this client is also in a case that this person does not see. */
export const isKeptByOthers = ({ isAssignedOnly, userId }: Scope, { keptByUserIds }: ClientDoc): boolean =>
  isAssignedOnly && !keptByUserIds.includes(userId);

/** Who made the record of each of these clients. */
export async function makersOf(ownerId: string, ids: string[]): Promise<Map<string, string>> {
  const docs = await ClientModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }) }, { createdBy: 1 }).lean();
  return new Map(docs.map(({ _id, createdBy }) => [_id, createdBy]));
}

interface Assigned {
  id: string;
  /** Who works on each case of this client. */
  teams: string[][];
}

/**
 * Lets exactly those see these clients who work on one of their cases, and those change how they are reached who work on
 * all; for one without a case that is who made the record.
 */
export async function assignClients(ownerId: string, clients: Assigned[]): Promise<void> {
  const makers = await makersOf(
    ownerId,
    clients.filter(({ teams }) => teams.length === 0).map(({ id }) => id),
  );
  const told = clients.map(({ id, teams }) => {
    const known = teams.length > 0 ? teams : [[makers.get(id) ?? ""]];
    const seenBy = [...new Set(known.flat())].toSorted();
    return { id, seenBy, keptBy: seenBy.filter((userId) => known.every((team) => team.includes(userId))) };
  });
  for (const group of Map.groupBy(told, ({ seenBy, keptBy }) => JSON.stringify([seenBy, keptBy])).values())
    await ClientModel.updateMany(
      { ownerId, _id: mongoose.trusted({ $in: group.map(({ id }) => id) }) },
      // The step makes two such changes at once collide, even where the second finds nothing to change.
      {
        $set: { assignedUserIds: group[0]?.seenBy ?? [], keptByUserIds: group[0]?.keptBy ?? [] },
        $inc: { assignmentStep: 1 },
      },
      { timestamps: false },
    );
}
