// What creates or sends carries an id that its sender chose. The same thing that comes again is not done again: it is
// answered as a look at what was made would be.
import mongoose from "mongoose";
import { outOfTurn } from "./call-turns.ts";
import { now } from "./clock.ts";
import { keyedHash } from "./crypto.ts";
import { inTransaction, isDuplicateKey } from "./database.ts";
import { conflict } from "./errors.ts";
import { isInTransaction } from "./open-transaction.ts";
import { owned } from "./owned.ts";
import type { Scope } from "./trpc.ts";

interface SendingDoc {
  /** The practice and the id that the sender chose, so that no practice meets the ids of another. */
  _id: string;
  ownerId: string;
  userId: string;
  /** What was asked for, and with what, as a hash. */
  inputHash: string;
  /** What came of it; its own id, so that knowing one of a record never helps to ask for another. */
  madeId: string;
  at: Date;
}

const required = { type: String, required: true };
const sendingMongooseSchema = new mongoose.Schema<SendingDoc>(
  { _id: required, userId: required, inputHash: required, madeId: String, at: { type: Date, required: true } },
  { collection: "sendings", versionKey: false },
);
sendingMongooseSchema.plugin(owned);
const SendingModel = mongoose.model("Sending", sendingMongooseSchema);

export interface Sending {
  /** What its sender called it. */
  id: string;
  /** What is asked for, such as "clients.create". */
  what: string;
  /** All that was sent with it; the same id with anything else is refused. */
  input: unknown;
}

/** Notes what is made, in the transaction that makes it. */
export type Keep = (madeId: string) => Promise<void>;

/** For what nobody sends twice, such as the data of a demonstration. */
export const KEPT_BY_NOBODY: Keep = () => Promise.resolve();

interface Ways<Result> {
  make: (keep: Keep) => Promise<Result>;
  /** The feature's own guarded read: what it refuses is refused here. */
  look: (madeId: string) => Promise<Result>;
}

/** Another sending of the same was faster. */
class DoneBefore extends Error {}

/** What is under way in this process, each until it is done or refused. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Does what was sent, once; for what has to open its transaction itself. The same that comes while it is under way waits,
 * instead of doing its work, such as a paper, a second time in vain.
 */
export async function doOnce<Result>(scope: Scope, sending: Sending, ways: Ways<Result>): Promise<Result> {
  const key = keyOf(scope, sending);
  const first = underWay.get(key);
  if (first) {
    // What stands in a transaction may hold what the first one waits for.
    if (!isInTransaction()) await outOfTurn(() => first);
    return doOrLook(scope, sending, ways);
  }
  const work = doOrLook(scope, sending, ways);
  underWay.set(
    key,
    work.catch(() => undefined),
  );
  try {
    return await work;
  } finally {
    underWay.delete(key);
  }
}

async function doOrLook<Result>(scope: Scope, sending: Sending, { make, look }: Ways<Result>): Promise<Result> {
  const known = await findDone(scope, sending);
  if (known) return look(known.madeId);
  try {
    return await make((madeId) => keep(scope, sending, madeId));
  } catch (error) {
    // Whatever stood in the way may have been the same sending, which was faster.
    const made = await findDone(scope, sending);
    if (!made) throw error;
    return look(made.madeId);
  }
}

const keyOf = ({ ownerId }: Scope, { id }: Sending): string => `${ownerId}:${id}`;
const hashOf = ({ what, input }: Sending): string => keyedHash(`${what}\n${inOneOrder(input)}`);

/** The same text for the same content, in whatever order its fields were sent. */
const inOneOrder = (input: unknown): string =>
  JSON.stringify(input, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** Null where it was not done yet. Somebody else's, or another thing under the same id, is refused in the same words. */
async function findDone(scope: Scope, sending: Sending): Promise<SendingDoc | null> {
  const known = await SendingModel.findOne({ ownerId: scope.ownerId, _id: keyOf(scope, sending) }).lean();
  if (!known) return null;
  if (known.userId !== scope.userId || known.inputHash !== hashOf(sending))
    throw conflict(
      "This was sent before, with other content. Look at what is there by now, and write anew what is missing.",
    );
  return known;
}

async function keep(scope: Scope, sending: Sending, madeId: string): Promise<void> {
  const { ownerId, userId } = scope;
  try {
    await SendingModel.create([
      { _id: keyOf(scope, sending), ownerId, userId, inputHash: hashOf(sending), madeId, at: now() },
    ]);
  } catch (error) {
    if (isDuplicateKey(error)) throw new DoneBefore();
    throw error;
  }
}

interface Call<Input> {
  ctx: { scope: Scope };
  input: Input;
  path: string;
}

/** A procedure that creates: its input is extended by `ofNewThing`. */
export const creating =
  <Sent extends { id: string }, Result extends object>(
    make: (scope: Scope, input: Omit<Sent, "id">) => Promise<Result>,
    look: (scope: Scope, madeId: string, input: Omit<Sent, "id">) => Promise<Result>,
  ) =>
  ({ ctx: { scope }, input: { id, ...input }, path }: Call<Sent>): Promise<Result> =>
    makeOnce(
      scope,
      { id, input, what: path },
      { make: () => make(scope, input), look: (madeId) => look(scope, madeId, input) },
    );

/** The same for what opens its transaction itself, and calls `keep` in it. */
export const creatingItself =
  <Sent extends { id: string }, Result>(
    make: (scope: Scope, input: Omit<Sent, "id">, keep: Keep) => Promise<Result>,
    look: (scope: Scope, madeId: string) => Promise<Result>,
  ) =>
  ({ ctx: { scope }, input: { id, ...input }, path }: Call<Sent>): Promise<Result> =>
    doOnce(
      scope,
      { id, input, what: path },
      { make: (keepAs) => make(scope, input, keepAs), look: (madeId) => look(scope, madeId) },
    );

/** A procedure that adds to something that exists, or sends it: its input is extended by `ofChange`. */
export const changing =
  <Sent extends { changeId: string; id: string }, Result>(
    make: (scope: Scope, input: Omit<Sent, "changeId">) => Promise<Result>,
    look: (scope: Scope, id: string, input: Omit<Sent, "changeId">) => Promise<Result>,
  ) =>
  ({ ctx: { scope }, input: { changeId, ...input }, path }: Call<Sent>): Promise<Result> =>
    doOnce(
      scope,
      { id: changeId, input, what: path },
      {
        make: (keepAs) =>
          inTransaction(async () => {
            await keepAs(input.id);
            return make(scope, input);
          }),
        look: (changedId) => look(scope, changedId, input),
      },
    );

/** Does what was sent, once, in one transaction. */
export function makeOnce<Result extends object>(
  scope: Scope,
  sending: Sending,
  { make, look }: { make: () => Promise<Result>; look: (madeId: string) => Promise<Result> },
): Promise<Result> {
  return doOnce(scope, sending, {
    look,
    make: (keepAs) =>
      inTransaction(async () => {
        await keepAs("");
        const made = await make();
        const filter = { ownerId: scope.ownerId, _id: keyOf(scope, sending) };
        await SendingModel.updateOne(filter, { $set: { madeId: idOf(made) } });
        return made;
      }),
  });
}

const idOf = (made: object): string => ("id" in made && typeof made.id === "string" ? made.id : "");
