// Retryable writes: the same number again gets the same answer and changes nothing.
import { MongoError } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import type { Operation } from "./operation.ts";

/** The saved reply, if this very write was already done. */
export function answeredBefore({ engine, session, retryNumber }: Operation): Reply | undefined {
  if (!session || retryNumber === undefined) return undefined;
  if (retryNumber < session.number) {
    throw new MongoError(
      225,
      "TransactionTooOld",
      `Retryable write with txnNumber ${retryNumber} is prohibited because a newer one ${session.number} has already started.`,
    );
  }
  if (session.answered?.number === retryNumber) return { fields: new Map(session.answered.reply) };
  session.number = retryNumber;
  if (session.transaction) engine.transactions.abort(session.transaction);
  return undefined;
}

/** Keeps the reply, in the same commit as the write that it answers. */
export function remember(operation: Operation, reply: Reply): Reply {
  const { engine, session, retryNumber, transaction } = operation;
  if (session && retryNumber !== undefined && !transaction) {
    engine.store.group.write(() => engine.sessions.remember(session, retryNumber, new Map(reply.fields)));
  }
  return reply;
}
