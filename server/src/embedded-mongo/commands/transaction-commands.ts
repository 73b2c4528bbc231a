import { docOf } from "../bson/doc-of.ts";
import { isKnownCommit } from "../transactions/sessions.ts";
import { MongoError } from "../values.ts";
import { type Command, reply } from "./operation.ts";

const PARTICIPANT = { fields: ["recoveryToken"], isAllowedInTransaction: true };

const commitTransaction: Command = {
  ...PARTICIPANT,
  isWrite: true,
  async run(operation) {
    const { engine, session, transaction } = operation;
    const number = operation.command.get("txnNumber");
    if (session && !transaction && typeof number === "bigint" && isKnownCommit(session, number)) return reply();
    if (!session || !transaction) throw new MongoError(125, "CommandFailed", "commitTransaction needs a transaction");
    if (transaction.state === "committed") return reply();
    const committed = docOf({ committed: true });
    engine.transactions.commit(transaction, () => engine.sessions.remember(session, transaction.number, committed));
    engine.cursors.killWhere(
      (cursor) => cursor.sessionKey === session.key && cursor.transaction === transaction.number,
    );
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
  run({ engine, session, transaction }) {
    if (!session || !transaction) throw new MongoError(125, "CommandFailed", "abortTransaction needs a transaction");
    if (transaction.state === "committed")
      throw new MongoError(256, "TransactionCommitted", `Transaction ${transaction.number} has been committed.`);
    engine.transactions.abort(transaction);
    engine.cursors.killWhere(
      (cursor) => cursor.sessionKey === session.key && cursor.transaction === transaction.number,
    );
    return reply();
  },
};

const killAllSessions: Command = {
  fields: [],
  run({ engine }) {
    if (!engine.hasTestCommands) throw new MongoError(13, "Unauthorized", "killAllSessions is a test command");
    engine.sessions.endAll();
    return reply();
  },
};

const configureFailPoint: Command = {
  fields: ["mode", "data"],
  run({ engine, command }) {
    if (!engine.hasTestCommands) throw new MongoError(59, "CommandNotFound", "no such command: 'configureFailPoint'");
    engine.failpoints.configure(command.get("configureFailPoint"), command.get("mode"), command.get("data"));
    return reply();
  },
};

export const transactionCommands: Record<string, Command> = {
  commitTransaction,
  abortTransaction,
  killAllSessions,
  configureFailPoint,
};
