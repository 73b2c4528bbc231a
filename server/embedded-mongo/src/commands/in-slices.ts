// Runs what reads, and lets others be heard between two slices of it.
import { located } from "../bson/fail.ts";
import type { Pause } from "../pace.ts";
import { timeIsUp } from "../plan/find-rows.ts";
import { noSuchTransaction } from "../transactions/sessions.ts";
import type { MongoError } from "../values.ts";
import type { Operation } from "./operation.ts";

/** The first slice is done at once, so that what is short waits for nobody. `pace`: of a cursor that was opened before. */
export function inSlices<T>(
  operation: Operation,
  work: Generator<Pause, T>,
  pace = operation.view.pace,
): T | Promise<T> {
  pace?.begin();
  const step = work.next();
  return step.done ? step.value : goOn();

  async function goOn(): Promise<T> {
    for (;;) {
      await operation.engine.turns.next();
      const problem = whyNot(operation);
      pace?.begin();
      const next = problem ? work.throw(problem) : work.next();
      if (next.done) return next.value;
    }
  }
}

/** Why nobody waits for it any more, or it may not be read any more. */
function whyNot({ engine, client, session, transaction, deadline }: Operation): MongoError | undefined {
  if (client.isClosed()) return located(279, "the client is gone");
  if (transaction && transaction.state !== "open") return noSuchTransaction(transaction.number);
  if (session && !engine.sessions.isOpen(session)) return located(11601, "operation was interrupted");
  return timeIsUp(deadline);
}
