// Looks each night, and whenever somebody asks, whether the book is right. What differs is told to the owner and never put
// right by itself: money that does not add up is for somebody to understand first.
import { type BookCheck, PROBLEMS_SHOWN_MAX } from "@app/shared/book-checks";
import mongoose from "mongoose";
import { DAY_MS, HOUR_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { forbidden } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { owned } from "../../core/owned.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineWorkTurns } from "../../core/work-turns.ts";
import { countEntries, ownersWithBooks } from "../ledger/ledger.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { checkLedger } from "./ledger-check.service.ts";

interface BookCheckDoc {
  /** The practice. */
  _id: string;
  ownerId: string;
  isAsked: boolean;
  isRunning: boolean;
  read: number;
  entries: number;
  checkedAt: Date | null;
  problems: string[];
  problemCount: number;
}

const nothing = { type: Number, default: 0 };
const no = { type: Boolean, default: false };

const bookCheckMongooseSchema = new mongoose.Schema<BookCheckDoc>(
  {
    _id: { type: String, required: true },
    isAsked: no,
    isRunning: no,
    read: nothing,
    entries: nothing,
    checkedAt: { type: Date, default: null },
    problems: [String],
    problemCount: nothing,
  },
  { collection: "book_checks", versionKey: false },
);
bookCheckMongooseSchema.plugin(owned);
const BookCheckModel = mongoose.model("BookCheck", bookCheckMongooseSchema);

const EVERY_MS = DAY_MS;
/** Money that comes while all is read makes sums differ that are right. */
const LOOKS_MAX = 5;
const ABOUT = "books:differ";

function assertWhole({ isAssignedOnly }: Scope): void {
  if (isAssignedOnly) throw forbidden("This is of the whole practice, and you see only your own cases.");
}

export async function lastBookCheck(scope: Scope): Promise<BookCheck> {
  assertWhole(scope);
  const doc = await BookCheckModel.findOne({ ownerId: scope.ownerId, _id: scope.ownerId }).lean();
  if (!doc) return { state: "never", read: 0, entries: 0, checkedAt: null, problems: [], problemCount: 0 };
  const { isAsked, isRunning, checkedAt, ...found } = doc;
  const state = isRunning ? "running" : isAsked ? "asked" : checkedAt === null ? "never" : "done";
  return { ...found, state, checkedAt: checkedAt?.toISOString() ?? null };
}

/** It is looked at in the turn of the practice, beside what others wait for. */
export async function askForBookCheck(scope: Scope): Promise<BookCheck> {
  assertWhole(scope);
  const { ownerId } = scope;
  await BookCheckModel.updateOne({ ownerId, _id: ownerId }, { $set: { isAsked: true } }, { upsert: true });
  bookChecks.add({ ownerId, id: "" });
  return lastBookCheck(scope);
}

async function dueOwners(): Promise<string[]> {
  const since = mongoose.trusted({ $gt: new Date(now().getTime() - EVERY_MS), $lte: now() });
  const [owners, done, asked] = await Promise.all([
    ownersWithBooks(),
    BookCheckModel.distinct("_id", { isAsked: false, checkedAt: since }).setOptions({ anyOwner: true }),
    BookCheckModel.distinct("_id", { isAsked: true }).setOptions({ anyOwner: true }),
  ]);
  const isDone = new Set(done);
  return [...new Set([...asked, ...owners.filter((ownerId) => !isDone.has(ownerId))])];
}

export const bookChecks = defineWorkTurns({
  name: "check the books",
  everyMs: HOUR_MS,
  atOnce: 1,
  ofPractice: 1,
  find: async () => (await dueOwners()).map((ownerId) => ({ ownerId, id: "" })),
  async work({ ownerId }, _turn, log) {
    await checkBooks(ownerId, log);
    return null;
  },
});

async function checkBooks(ownerId: string, log: Logger): Promise<void> {
  const note = (set: Partial<BookCheckDoc>) =>
    BookCheckModel.updateOne({ ownerId, _id: ownerId }, { $set: set }, { upsert: true });
  const entries = await countEntries(ownerId);
  await note({ isRunning: true, read: 0, entries });
  try {
    const problems = await lookQuietly(ownerId, async (read) => void (await note({ read })));
    if (problems === null) return;
    await inTransaction(async () => {
      const before = await BookCheckModel.findOne({ ownerId, _id: ownerId }).lean();
      const shown = problems.slice(0, PROBLEMS_SHOWN_MAX);
      await note({ isAsked: false, checkedAt: now(), problems: shown, problemCount: problems.length });
      if (shown.join() !== (before?.problems ?? []).join()) await tellOwner(ownerId, problems.length);
    });
    if (problems.length > 0) log.error({ ownerId, count: problems.length }, "the book of a practice is not right");
  } finally {
    await note({ isRunning: false });
  }
}

/** What differs while nothing was entered; null where something always was, and the next look tries again. */
async function lookQuietly(ownerId: string, onRead: (count: number) => Promise<void>): Promise<string[] | null> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const before = await countEntries(ownerId);
    const problems = await checkLedger(ownerId, { onRead });
    if (problems.length === 0 || (await countEntries(ownerId)) === before) return problems;
  }
  return null;
}

async function tellOwner(ownerId: string, count: number): Promise<void> {
  await callOff({ ownerId, caseId: null, abouts: [ABOUT] });
  if (count === 0) return;
  const what = count === 1 ? "a difference was" : `${count} differences were`;
  await createTasks(systemScope(ownerId), [
    {
      title: `The books do not agree: ${what} found. Look under Payments, Invoice settings`,
      dueOn: await practiceToday(ownerId),
      assigneeId: ownerId,
      caseId: null,
      clientId: null,
      needs: "payments.read",
      about: ABOUT,
    },
  ]);
}
