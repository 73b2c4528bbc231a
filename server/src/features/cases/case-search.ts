import mongoose from "mongoose";
import { foldText } from "@app/shared/text";
import type { Scope } from "../../core/trpc.ts";
import { literally, type Typed } from "../../core/word-search.ts";
import { findClientIds } from "../clients/clients.service.ts";
import { visibleTo } from "./case-changes.service.ts";
import { CaseModel } from "./cases.model.ts";

const BROAD_SEARCH = 200;
const NEWEST = { createdAt: -1, _id: -1 } as const;

interface Most {
  clients: number;
  cases: number;
}

/**
 * The newest cases with a reference that begins with what was typed, or a party whose name does: ids in no order. Each
 * is a search of an index of its own, because one for either would read every case.
 */
export async function findCaseIds(
  scope: Scope,
  typed: Typed,
  most: Most,
): Promise<{ ids: string[]; isComplete: boolean }> {
  const clientIds = await findClientIds(scope, typed, most.clients);
  const [byReference, byParty] = await Promise.all([
    findByReference(scope, typed.text, most.cases),
    CaseModel.find({ ...visibleTo(scope), clientIds: mongoose.trusted({ $in: clientIds }) }, { _id: 1 })
      .sort(NEWEST)
      .limit(most.cases)
      .lean(),
  ]);
  return {
    ids: [...new Set([...byReference, ...byParty].map(({ _id }) => _id))],
    isComplete: clientIds.length < most.clients && byReference.length < most.cases && byParty.length < most.cases,
  };
}

async function findByReference(scope: Scope, search: string, limit: number): Promise<{ _id: string }[]> {
  const beginning = mongoose.trusted({ $regex: `^${literally(foldText(search))}` });
  const filter = { ...visibleTo(scope), searchTerms: beginning };
  const isBroad = (await CaseModel.countDocuments(filter).limit(BROAD_SEARCH + 1)) > BROAD_SEARCH;
  return (
    CaseModel.find(filter, { _id: 1 })
      .sort(NEWEST)
      .limit(limit)
      // Of many the newest are soon met from the newest on; few are looked up.
      .hint(isBroad ? { ownerId: 1, createdAt: -1, _id: -1 } : { ownerId: 1, searchTerms: 1 })
      .lean()
  );
}
