// Logical sessions: the transaction each one is in, and the last retryable write it sent.
import { decode } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { located, typeMismatch } from "../bson/fail.ts";
import { sumOf } from "../store/checksum.ts";
import type { Store } from "../store/documents.ts";
import { blob } from "../store/sqlite-file.ts";
import { Binary, type Doc, MongoError } from "../values.ts";
import type { Transaction, Transactions } from "./transaction.ts";

export type Session = {
  key: string;
  lsid: Doc;
  usedAt: number;
  /** The highest transaction number seen. */
  number: bigint;
  transaction: Transaction | undefined;
  /** The reply to the last retryable write; the same number gets the same reply. */
  answered: { number: bigint; reply: Doc } | undefined;
  /** Ends when the numbered command before is done: a write that is sent again must not overtake itself. */
  turn: Promise<void>;
};

export type Sessions = ReturnType<typeof createSessions>;

export const SESSION_MINUTES = 30;

const keyOf = (lsid: Doc): string => {
  const id = lsid.get("id");
  if (!(id instanceof Binary))
    throw typeMismatch("BSON field 'OperationSessionInfo.lsid.id' is the wrong type, expected type 'binData'");
  return Buffer.from(id.value()).toString("hex");
};

export function createSessions(store: Store, transactions: Transactions) {
  const sessions = new Map<string, Session>();

  /** A session as it was left: after a restart of the engine only the last answer is still known. */
  const recall = (key: string, lsid: Doc): Session => {
    const row = store.main.get("SELECT n, reply FROM _retry WHERE lsid = ?", Buffer.from(key, "hex"));
    const number = row ? BigInt(Number(row["n"])) : -1n;
    const answered = row && { number, reply: decode(blob(row, "reply")) };
    return { key, lsid, usedAt: 0, number, transaction: undefined, answered, turn: Promise.resolve() };
  };
  const end = (key: string): void => {
    const session = sessions.get(key);
    if (session?.transaction) transactions.abort(session.transaction);
    sessions.delete(key);
  };

  return {
    get(lsid: Doc): Session {
      const key = keyOf(lsid);
      const session = sessions.get(key) ?? recall(key, lsid);
      sessions.set(key, session);
      session.usedAt = Date.now();
      return session;
    },
    keyOf,
    isOpen: (session: Session): boolean => sessions.get(session.key) === session,
    end,
    endAll(): void {
      for (const key of sessions.keys()) end(key);
    },
    /** To be called in the same commit as the write itself. */
    remember(session: Session, number: bigint, reply: Doc): void {
      session.answered = { number, reply };
      const row = [Buffer.from(session.key, "hex"), Number(number), encode(reply), Date.now()];
      store.main.run("INSERT OR REPLACE INTO _retry(lsid, n, reply, at, s) VALUES(?, ?, ?, ?, ?)", ...row, sumOf(row));
    },
    /** After a commit that failed, what was remembered since then may not be true. */
    forgetAnswers(): void {
      for (const session of sessions.values()) session.answered = undefined;
    },
    expire(now: number): void {
      const oldest = now - SESSION_MINUTES * 60_000;
      for (const session of sessions.values()) if (session.usedAt < oldest) end(session.key);
      const stale = store.main.get("SELECT 1 FROM _retry WHERE at < ? LIMIT 1", oldest);
      if (stale) store.group.write(() => store.main.run("DELETE FROM _retry WHERE at < ?", oldest));
    },
  };
}

/** Runs numbered commands of one session one after another. */
export async function inTurn<T>(session: Session, run: () => Promise<T>): Promise<T> {
  const before = session.turn;
  const { promise, resolve } = Promise.withResolvers<void>();
  session.turn = promise;
  await before;
  return run().finally(resolve);
}

/** After a restart of the engine only the record of a commit is left. */
export const isKnownCommit = (session: Session, number: bigint): boolean =>
  !session.transaction && session.answered?.number === number && session.answered.reply.get("committed") === true;

export const noSuchTransaction = (number: bigint): MongoError =>
  located(
    251,
    `Given transaction number ${number} does not match any in-progress transactions.`,
    "TransientTransactionError",
  );

export type TransactionRequest = { number: bigint; starts: boolean; ends: boolean };

/** The transaction a command belongs to, begun if the command says so. */
export function enterTransaction(
  session: Session,
  transactions: Transactions,
  { number, starts, ends }: TransactionRequest,
): Transaction {
  const current = session.transaction;
  if (number < session.number) {
    const why = `because a newer one ${session.number} has already started`;
    throw located(225, `Cannot start transaction with number ${number} ${why}.`);
  }
  if (starts) {
    if (current?.number === number || (number === session.number && session.answered))
      throw located(117, `Given transaction number ${number} has already been used on this session.`);
    if (current) transactions.abort(current);
    session.number = number;
    session.transaction = transactions.begin(session.lsid, number);
    return session.transaction;
  }
  if (!current || current.number !== number || current.state === "aborted") throw noSuchTransaction(number);
  if (current.state === "committed" && !ends)
    throw located(256, `Transaction with number ${number} has been committed.`);
  return current;
}
