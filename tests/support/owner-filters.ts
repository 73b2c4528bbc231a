// Every place in the features that asks the database, found while it asks: wherever it stands in a file and however its
// filter is written.
import mongoose, { type Query } from "mongoose";

const FEATURES = "/server/src/features/";
const STATICS = [
  "find",
  "findById",
  "findOne",
  "exists",
  "distinct",
  "countDocuments",
  "updateOne",
  "updateMany",
  "replaceOne",
  "deleteOne",
  "deleteMany",
  "findOneAndUpdate",
  "findOneAndReplace",
  "findOneAndDelete",
  "findByIdAndUpdate",
  "findByIdAndDelete",
] as const;
/** Kept by the id of a person, who is the caller: there is no practice to ask for. */
const OF_PERSONS = new Set(["email_credentials", "email_tokens", "auth_sessions", "mail_positions", "calendar_feeds"]);
const FRAMES = 30;

interface Watch {
  /** A place asks with a filter that names the caller's practice. */
  asked: (site: string) => void;
  /** Whether this place asks without that filter this time. */
  isDropped: (site: string) => boolean;
  /** Whose practice calls now. */
  ownerId: () => string;
}

/** Watches every query of the features, and takes the owner out of those that are to ask without. */
export function watchOwnerFilters({ asked, isDropped, ownerId }: Watch): void {
  for (const name of STATICS) {
    const original: unknown = Reflect.get(mongoose.Model, name);
    if (typeof original !== "function") throw new Error(`mongoose has no ${name}`);
    Reflect.set(mongoose.Model, name, function watched(this: unknown, ...args: unknown[]): unknown {
      const query: unknown = Reflect.apply(original, this, args);
      const owner = ownerId();
      if (owner === "" || !(query instanceof mongoose.Query)) return query;
      const site = siteOf(new Error());
      const filter: unknown = query.getFilter();
      if (site === null || isOfPerson(query, filter) || !names(filter, owner)) return query;
      const place = `${site} ${query.model.modelName}.${name}`;
      asked(place);
      if (isDropped(place)) dropOwner(query, filter, owner);
      return query;
    });
  }
}

/** An account of the caller's own, of whose practice nothing is asked. */
const isOfPerson = (query: Query<unknown, unknown>, filter: unknown): boolean =>
  OF_PERSONS.has(query.model.collection.name) ||
  (query.model.collection.name === "users" &&
    isObject(filter) &&
    typeof filter["_id"] === "string" &&
    !("owner_id" in filter));

Error.stackTraceLimit = FRAMES;

/** Where in the features the query is made, such as `clients/clients.service.ts:120:14`. */
function siteOf({ stack = "" }: Error): string | null {
  const line = stack.split("\n").find((one) => one.includes(FEATURES));
  return line
    ? (line
        .split(FEATURES)[1]
        ?.replace(/[?)].*?(?=:|$)/, "")
        .replace(/\)$/, "") ?? null)
    : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(value instanceof Date);

/** Whether this practice stands anywhere in a filter. */
const names = (filter: unknown, owner: string): boolean =>
  filter === owner || (isObject(filter) && Object.values(filter).some((value) => names(value, owner)));

function dropOwner(query: Query<unknown, unknown>, filter: unknown, owner: string): void {
  query.setQuery(without(filter, owner));
  query.setOptions({ anyOwner: true });
}

const isChoice = (key: string, value: unknown): value is unknown[] => Array.isArray(value) && /^\$(or|and)$/.test(key);

/** The same filter, as if nobody had thought of the practice. */
function without(filter: unknown, owner: string): Record<string, unknown> {
  const kept = Object.entries(isObject(filter) ? filter : {}).filter(
    ([key, value]) => isChoice(key, value) || !names(value, owner),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isChoice(key, value) ? value.map((each) => without(each, owner)) : value]),
  );
}
