import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { isKnownCommit, type Session } from "../transactions/sessions.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { type Command, type Operation, reply } from "./operation.ts";

const PARTICIPANT = { fields: ["recoveryToken"], isAllowedInTransaction: true };

function participants({ name, session, transaction }: Operation): { session: Session; transaction: Transaction } {
  if (!session || !transaction) throw located(125, `${name} needs a transaction`);
  return { session, transaction };
}

const killItsCursors = ({ engine, session, transaction }: Operation): void =>
  engine.cursors.killWhere(
    (cursor) => cursor.sessionKey === session?.key && cursor.transaction === transaction?.number,
  );

const commitTransaction: Command = {
  ...PARTICIPANT,
  isWrite: true,
  async run(operation) {
    const { engine } = operation;
    const number = operation.command.get("txnNumber");
    const { session: known, transaction: open } = operation;
    if (known && !open && typeof number === "bigint" && isKnownCommit(known, number)) return reply();
    const { session, transaction } = participants(operation);
    if (transaction.state === "committed") return reply();
    const committed = docOf({ committed: true });
    engine.transactions.commit(transaction, () => engine.sessions.remember(session, transaction.number, committed));
    killItsCursors(operation);
    try {
      await engine.store.group.durable();
    } catch (error) {
      transaction.state = "aborted";
      throw error;
    }
    return reply();
  },
};

const abortTransaction: Command = {
  ...PARTICIPANT,
  run(operation) {
    const { transaction } = participants(operation);
    if (transaction.state === "committed") throw located(256, `Transaction ${transaction.number} has been committed.`);
    operation.engine.transactions.abort(transaction);
    killItsCursors(operation);
    return reply();
  },
};

export const transactionCommands: Record<string, Command> = { commitTransaction, abortTransaction };
