import mongoose from "mongoose";
import type { CaseRow } from "@app/shared/case-rows";
import { ENDED_STATUSES } from "@app/shared/case-states";
import type { Scope } from "../../core/trpc.ts";
import { visibleTo } from "./case-changes.service.ts";
import { type CaseRowDoc, ROW_FIELDS, toCaseRows } from "./case-mapping.ts";
import { type CaseDoc, CaseModel } from "./cases.model.ts";

/** Of each of these clients the newest case that is not over, else the newest; nothing where there is none. */
export async function casesOfClients(
  scope: Scope,
  clientIds: string[],
): Promise<{ clientId: string; theCase: CaseRow }[]> {
  const among = mongoose.trusted({ $in: clientIds });
  const found = await CaseModel.find({ ...visibleTo(scope), clientIds: among }, { status: 1, clientIds: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Standing[]>();
  const chosen = new Map(clientIds.map((clientId) => [clientId, latestOf(clientId, found)]));
  const shown = mongoose.trusted({ $in: [...chosen.values()].flatMap((one) => one?._id ?? []) });
  const docs = await CaseModel.find({ ...visibleTo(scope), _id: shown }, ROW_FIELDS).lean<CaseRowDoc[]>();
  const rows = await toCaseRows(scope, docs);
  return clientIds.flatMap((clientId) => {
    const theCase = rows.find(({ id }) => id === chosen.get(clientId)?._id);
    return theCase ? [{ clientId, theCase }] : [];
  });
}

type Standing = Pick<CaseDoc, "_id" | "status" | "clientIds">;

function latestOf(clientId: string, docs: Standing[]): Standing | undefined {
  const own = docs.filter(({ clientIds }) => clientIds.includes(clientId));
  return own.find(({ status }) => !ENDED_STATUSES.includes(status)) ?? own[0];
}

/** Every case of this client that this person sees, with who mediates it: so much says what of it they may read. */
export const readableCasesOf = async (scope: Scope, clientId: string) => {
  const docs = await CaseModel.find({ ...visibleTo(scope), clientIds: clientId }, { mediators: 1 }).lean<
    Pick<CaseDoc, "_id" | "mediators">[]
  >();
  return docs.map(({ _id, mediators }) => ({ id: _id, mediators }));
};

interface Together {
  caseId: string;
  partyId: string;
}

/**
 * Of each of these cases, its parties with who they are in every other case in which at least one more of its people is
 * too, whoever may see that.
 */
export async function togetherElsewhere(
  ownerId: string,
  caseIds: readonly string[],
): Promise<Map<string, { partyId: string; elsewhere: Together[] }[]>> {
  const fields = { clientIds: 1, "parties.partyId": 1, "parties.clientId": 1 } as const;
  const among = mongoose.trusted({ $in: [...caseIds] });
  const cases = await CaseModel.find({ ownerId, _id: among }, fields).lean<Peopled[]>();
  const people = mongoose.trusted({ $in: cases.flatMap(({ clientIds }) => clientIds) });
  const around = await CaseModel.find({ ownerId, clientIds: people }, fields).lean<Peopled[]>();
  return new Map(
    cases.map((one) => {
      const others = around.filter((other) => other._id !== one._id && sharedBy(one, other) > 1);
      const parties = one.parties.map(({ partyId, clientId }) => ({
        partyId,
        elsewhere: others.flatMap(({ _id: caseId, parties: of }) =>
          of.filter((same) => same.clientId === clientId).map((same) => ({ caseId, partyId: same.partyId })),
        ),
      }));
      return [one._id, parties];
    }),
  );
}

/** Those of these parties who must not meet each other, by this case or by any other in which they are together. */
export async function keptApart(ownerId: string, caseId: string, partyIds: readonly string[]): Promise<string[]> {
  const around = (await togetherElsewhere(ownerId, [caseId])).get(caseId) ?? [];
  const places = around
    .filter(({ partyId }) => partyIds.includes(partyId))
    .flatMap(({ partyId, elsewhere }) => elsewhere.map((place) => ({ partyId, caseId: place.caseId })));
  const among = mongoose.trusted({ $in: [caseId, ...places.map((place) => place.caseId)] });
  const flagged = await CaseModel.find({ ownerId, _id: among, "flags.mustNotMeet": true }, { _id: 1 }).lean();
  const apart = flagged
    .map(({ _id }) =>
      _id === caseId ? partyIds : places.filter((place) => place.caseId === _id).map(({ partyId }) => partyId),
    )
    .filter((ids) => ids.length > 1);
  return [...new Set(apart.flat())];
}

type Peopled = Pick<CaseDoc, "_id" | "clientIds"> & {
  parties: Pick<CaseDoc["parties"][number], "partyId" | "clientId">[];
};

const sharedBy = (one: Peopled, other: Peopled): number =>
  new Set(one.clientIds.filter((id) => other.clientIds.includes(id))).size;
