// Whoever reads the history says which lines: whose, and as far as the reader may see them.
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import type { historyPageSchema } from "@app/shared/history";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { type HistoryDoc, HistoryModel, toHistoryEvent } from "./history.model.ts";

export type { HistoryDoc };

const NEWEST_FIRST = { at: -1, _id: -1 } as const;

/** One page of these lines, the newest first. */
export async function historyPage(
  filter: QueryFilter<HistoryDoc>,
  page: number,
): Promise<z.infer<typeof historyPageSchema>> {
  const [docs, total] = await Promise.all([
    HistoryModel.find(filter)
      .sort(NEWEST_FIRST)
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    HistoryModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: docs.map(toHistoryEvent), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** The newest of these lines. */
export const latestLines = (filter: QueryFilter<HistoryDoc>, limit: number): Promise<HistoryDoc[]> =>
  HistoryModel.find(filter).sort(NEWEST_FIRST).limit(limit).lean();

/** When parties joined cases that had begun, by the case and the label, as the history tells it. */
export async function joinedLines(): Promise<Map<string, Date>> {
  const docs = await HistoryModel.find({ kind: "case", text: mongoose.trusted({ $regex: "^P\\d+ joined the case$" }) })
    .setOptions({ anyOwner: true })
    .lean();
  return new Map(docs.map(({ caseId, text, at }) => [`${caseId ?? ""} ${text.split(" ")[0] ?? ""}`, at]));
}

/** The states that the parties of a case came into, the oldest first, as the history tells them. */
export async function statusLines(
  ownerId: string,
  caseId: string,
): Promise<{ label: string; status: string; at: Date }[]> {
  const docs = await HistoryModel.find({
    ownerId,
    caseId,
    kind: "case",
    text: mongoose.trusted({ $regex: "^P\\d+: " }),
  })
    .sort({ at: 1, _id: 1 })
    .lean();
  return docs.map(({ text, at }) => {
    const [label = "", status = ""] = text.split(": ");
    return { label, status, at };
  });
}
