// Who of the practice works on a case, and what follows from it for the clients in it.
import mongoose from "mongoose";
import { ROLES } from "@app/shared/access";
import { answersFor, mayMediate } from "@app/shared/team-access";
import { badField, forbidden } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assignClients, makersOf } from "../clients/client-keepers.service.ts";
import { colleagues } from "../users/users.service.ts";
import { type CaseDoc, CaseModel } from "./cases.model.ts";

type Team = Pick<CaseDoc, "mediators" | "staffIds">;

const NOBODY: Team = { mediators: [], staffIds: [] };

interface Choice {
  after: Team;
  /** Null where the case is opened. */
  before: Team | null;
}

/** Throws where this person may not choose one of these teams, or where somebody in it cannot be chosen. */
export async function assertMayChoose(scope: Scope, choices: Choice[]): Promise<void> {
  const open = choices.filter((choice) => !isAsBegun(scope, choice));
  if (open.length === 0) return;
  const active = (await colleagues(scope.ownerId)).filter(({ isActive }) => isActive);
  const mediating = new Set(active.filter(({ role }) => mayMediate(role)).map(({ userId }) => userId));
  const working = new Set(active.map(({ userId }) => userId));
  for (const { after, before } of open) {
    const known = before ?? NOBODY;
    if (added(idsOf(after.mediators), idsOf(known.mediators)).some((id) => !mediating.has(id)))
      throw badField("mediators", "Choose mediators of this practice.");
    if (added(after.staffIds, known.staffIds).some((id) => !working.has(id)))
      throw badField("staffIds", "Choose people of this practice.");
    if (!answersFor(scope, (before ?? after).mediators))
      throw forbidden(
        "Only the owner of the practice or a mediator of this case says who works on it. Ask one of them.",
      );
  }
}

const idsOf = (mediators: Team["mediators"]): string[] => mediators.map(({ userId }) => userId);
/** Those who were there before may stay, whatever became of them. */
const added = (after: string[], before: string[]): string[] => after.filter((id) => !before.includes(id));

/** Nothing changes; or a case is opened, and nobody but who opens it works on it. */
function isAsBegun({ userId }: Scope, { after, before }: Choice): boolean {
  if (before) return textOf(after) === textOf(before);
  return after.mediators.length === 0 && after.staffIds.every((id) => id === userId);
}

const textOf = ({ mediators, staffIds }: Team): string =>
  JSON.stringify([mediators.map(({ userId, isLead }) => [userId, isLead]), staffIds.toSorted()]);

/** Something that hangs on these cases, or on every case of this client. */
export interface Lent {
  caseIds?: readonly string[];
  clientId?: string;
  createdBy: string;
}

/**
 * Throws where somebody who sees assigned cases only would keep sight of one of these by bringing it into a place of
 * their own. Each case is asked as it stands now: the owner and its mediators lend what hangs on it. While nobody
 * mediates it, whoever works on it also takes what they made themselves: so an intake begins.
 */
export async function assertMayLend(scope: Scope, lent: readonly Lent[]): Promise<void> {
  if (!scope.isAssignedOnly || lent.length === 0) return;
  const _id = mongoose.trusted({ $in: lent.flatMap(({ caseIds = [] }) => caseIds) });
  const clientIds = mongoose.trusted({ $in: lent.flatMap(({ clientId }) => clientId ?? []) });
  const cases = await CaseModel.find(
    { ownerId: scope.ownerId, $or: [{ _id }, { clientIds }] },
    { mediators: 1, assignedUserIds: 1, clientIds: 1 },
  ).lean();
  const isKept = ({ caseIds = [], clientId = "", createdBy }: Lent) =>
    cases
      .filter((one) => caseIds.includes(one._id) || one.clientIds.includes(clientId))
      .some((one) => !answersFor(scope, one.mediators) && !(createdBy === scope.userId && isBegun(scope, one)));
  if (lent.some(isKept))
    throw forbidden(
      "This belongs to a case of others too. Ask the owner of the practice or a mediator of that case to do it.",
    );
}

/** The cases of this client on which somebody works who does not work on that one. */
export async function casesApartFrom(ownerId: string, clientId: string, that: Team): Promise<string[]> {
  const team = new Set(workersOf(that));
  const cases = await CaseModel.find({ ownerId, clientIds: clientId }, { assignedUserIds: 1 }).lean();
  return cases.filter(({ assignedUserIds }) => assignedUserIds.some((id) => !team.has(id))).map(({ _id }) => _id);
}

const isBegun = ({ userId }: Scope, { mediators, assignedUserIds }: Pick<CaseDoc, "mediators" | "assignedUserIds">) =>
  mediators.length === 0 && assignedUserIds.includes(userId);

/** The same for clients who join a case. */
export async function assertMayBring(scope: Scope, clientIds: string[]): Promise<void> {
  if (!scope.isAssignedOnly || clientIds.length === 0) return;
  const makers = await makersOf(scope.ownerId, clientIds);
  await assertMayLend(
    scope,
    clientIds.map((clientId) => ({ clientId, createdBy: makers.get(clientId) ?? "" })),
  );
}

/** Whoever opens a case works on it; the owner of the practice works on all. */
export const teamOfNew = ({ role, userId }: Scope, { staffIds }: Team): string[] =>
  role === ROLES.owner ? staffIds : [...new Set([...staffIds, userId])];

/** Everybody who works on a case. */
export const workersOf = ({ mediators, staffIds }: Team): string[] => [...new Set([...idsOf(mediators), ...staffIds])];

/**
 * Lets exactly those see these clients who work on a case of theirs, and those say how they are reached who work on all.
 * Call it in the transaction that changes who does, or who is in it.
 */
export async function reassignClients(ownerId: string, clientIds: string[]): Promise<void> {
  const ids = [...new Set(clientIds)];
  const docs = await CaseModel.find(
    { ownerId, clientIds: mongoose.trusted({ $in: ids }) },
    { clientIds: 1, assignedUserIds: 1 },
  ).lean();
  const teams = new Map<string, string[][]>();
  for (const { clientIds: parties, assignedUserIds } of docs)
    for (const id of parties) teams.set(id, [...(teams.get(id) ?? []), assignedUserIds]);
  await assignClients(
    ownerId,
    ids.map((id) => ({ id, teams: teams.get(id) ?? [] })),
  );
}
