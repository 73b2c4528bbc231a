import { BOARD_STATUSES } from "@app/shared/case-states";
import type { Board } from "@app/shared/board";
import type { Scope } from "../../core/trpc.ts";
import { visibleTo } from "./case-changes.service.ts";
import { CaseCountModel } from "./case-counts.model.ts";
import { type CaseRowDoc, ROW_FIELDS, toCaseRows } from "./case-mapping.ts";
import { CaseModel } from "./cases.model.ts";

const CARDS = 4;

const COUNTED_FIELDS = { status: 1, waitingFor: 1, "parties.partyId": 1, "parties.label": 1 } as const;

type Counts = Pick<Board, "waiting"> & { statuses: Record<string, number> };

/** The board of the dashboard: per state how many cases there are, and those that have been in it longest. */
export async function getBoard(scope: Scope): Promise<Board> {
  const [counts, ...columns] = await Promise.all([
    countsOf(scope),
    ...BOARD_STATUSES.map((status) =>
      CaseModel.find({ ...visibleTo(scope), status }, ROW_FIELDS)
        .sort({ statusSince: 1, _id: 1 })
        .limit(CARDS)
        .lean<CaseRowDoc[]>(),
    ),
  ]);
  const rows = await toCaseRows(scope, columns.flat());
  return {
    total: BOARD_STATUSES.reduce((sum, status) => sum + (counts.statuses[status] ?? 0), 0),
    waiting: counts.waiting,
    columns: BOARD_STATUSES.map((status) => ({
      status,
      count: counts.statuses[status] ?? 0,
      cases: rows.filter((row) => row.status === status),
    })),
  };
}

async function countsOf(scope: Scope): Promise<Counts> {
  if (scope.isAssignedOnly) return countAssigned(scope);
  const doc = await CaseCountModel.findById(scope.ownerId).lean();
  return { statuses: doc?.statuses ?? {}, waiting: doc?.waiting ?? { first: 0, second: 0, practice: 0 } };
}

/** Somebody who sees only their own cases has few: those are counted as they stand. */
async function countAssigned(scope: Scope): Promise<Counts> {
  const docs = await CaseModel.find(visibleTo(scope), COUNTED_FIELDS).lean<
    Pick<CaseRowDoc, "status" | "waitingFor" | "parties">[]
  >();
  const statuses: Record<string, number> = {};
  const waiting = { first: 0, second: 0, practice: 0 };
  for (const { status, waitingFor, parties } of docs) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    const label = parties.find(({ partyId }) => partyId === waitingFor)?.label;
    if (waitingFor === "practice") waiting.practice += 1;
    else if (label) waiting[label === "P1" ? "first" : "second"] += 1;
  }
  return { statuses, waiting };
}
