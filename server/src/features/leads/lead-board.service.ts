import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { isOpenLead, LEAD_STATUSES, type LeadStatus } from "@app/shared/lead-states";
import { BOARD_CARDS_MAX, BOARD_DAYS, type LeadBoard, type leadBoardInputSchema } from "@app/shared/leads";
import { COUNT_MAX } from "@app/shared/pagination";
import { DAY_MS, now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { ROW_FIELDS, type RowDoc, toRows } from "./lead-mapping.ts";
import { leadFilter } from "./leads.service.ts";
import { type LeadDoc, LeadModel, NO_SPAM } from "./leads.model.ts";

type Input = z.output<typeof leadBoardInputSchema>;

const boardSince = () => mongoose.trusted({ $gte: new Date(now().getTime() - BOARD_DAYS * DAY_MS) });

/** Everything open and what closed lately, by state: of each column the first cards, what is overdue before all others. */
export async function leadBoard(scope: Scope, input: Input): Promise<LeadBoard> {
  const [columns, recent] = await Promise.all([
    Promise.all(LEAD_STATUSES.map((status) => columnOf(scope, input, status))),
    recentOf(scope),
  ]);
  const rows = await toRows(
    scope,
    columns.flatMap(({ docs }) => docs),
  );
  return {
    columns: columns.map(({ status, count }) => ({
      status,
      count,
      leads: rows.filter((row) => row.status === status),
    })),
    recent,
  };
}

async function columnOf(
  scope: Scope,
  input: Input,
  status: LeadStatus,
): Promise<{ status: LeadStatus; count: number; docs: RowDoc[] }> {
  const isOpen = isOpenLead(status);
  const filter: QueryFilter<LeadDoc> = {
    ...leadFilter(scope, { ...input, state: status }),
    ...(isOpen ? {} : { statusSince: boardSince() }),
  };
  const [docs, count] = await Promise.all([
    LeadModel.find(filter, ROW_FIELDS).sort(orderOf(status)).limit(BOARD_CARDS_MAX).lean(),
    LeadModel.countDocuments(filter).limit(COUNT_MAX),
  ]);
  return { status, count, docs };
}

/** Of those who wait for a first answer, whoever is afraid comes before all others. */
function orderOf(status: LeadStatus): Record<string, 1 | -1> {
  if (status === "new") return { isFlagged: -1, sortDue: 1, _id: 1 };
  return isOpenLead(status) ? { sortDue: 1, _id: 1 } : { statusSince: -1, _id: -1 };
}

/** How the practice did with those that came in lately. */
async function recentOf({ ownerId }: Scope): Promise<LeadBoard["recent"]> {
  const came: QueryFilter<LeadDoc> = { ownerId, createdAt: boardSince(), ...NO_SPAM };
  const answered = { ...came, responseMinutes: mongoose.trusted({ $ne: null }) };
  const [all, converted, answers] = await Promise.all([
    LeadModel.countDocuments(came).limit(COUNT_MAX),
    LeadModel.countDocuments({ ...came, status: "converted" }).limit(COUNT_MAX),
    LeadModel.countDocuments(answered).limit(COUNT_MAX),
  ]);
  if (answers === 0) return { came: all, converted, medianResponseMinutes: null };
  const [middle] = await LeadModel.find(answered, { responseMinutes: 1 })
    .sort({ responseMinutes: 1 })
    .skip(Math.floor((answers - 1) / 2))
    .limit(1)
    .lean();
  return { came: all, converted, medianResponseMinutes: middle?.responseMinutes ?? null };
}
