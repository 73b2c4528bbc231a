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
const OF_PERSONS = new Set([
  "email_credentials",
  "email_tokens",
  "auth_sessions",
  "mail_positions",
  "calendar_feeds",
  "set_aside",
]);
/** One document for each practice, under its own id. */
const BY_OWNER = new Set([
  "settings",
  "customers",
  "payment_accounts",
  "receipt_numbers",
  "client_counts",
  "case_counts",
  "case_numbers",
  "certificate_numbers",
  "file_usage",
  "form_addresses",
]);
const FRAMES = 30;

interface Watch {
  /** A place asks with a filter that names the caller's practice. */
  asked: (site: string) => void;
  /** Whether this place asks without that filter this time. */
  isDropped: (site: string) => boolean;
  /** Whose practice calls now. */
  ownerId: () => string;
  /** A query names no practice, or what it asks for holds something of another one, whatever it then does with it. */
  strays: (site: string) => void;
}

type Method = (...args: unknown[]) => unknown;

/** Puts in the place of a method one that knows what it was. */
function wrap(
  target: object,
  name: string,
  around: (original: Method) => (this: unknown, ...args: unknown[]) => unknown,
) {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== "function") throw new Error(`mongoose has no ${name}`);
  Reflect.set(
    target,
    name,
    around(function called(this: unknown, ...args) {
      return Reflect.apply(original, this, args);
    }),
  );
}

/** Watches every query of the features, and takes the owner out of those that are to ask without. */
export function watchOwnerFilters({ asked, isDropped, ownerId, strays }: Watch): void {
  const sites = new WeakMap<object, string>();
  for (const name of STATICS)
    wrap(
      mongoose.Model,
      name,
      (original) =>
        function watched(...args) {
          const query = original.apply(this, args);
          const owner = ownerId();
          if (owner === "" || !(query instanceof mongoose.Query)) return query;
          const site = siteOf(new Error());
          if (site === null) return query;
          const place = `${site} ${query.model.modelName}.${name}`;
          sites.set(query, place);
          const filter: unknown = query.getFilter();
          if (isOfPerson(query, filter) || !names(filter, owner)) return query;
          asked(place);
          if (isDropped(place)) dropOwner(query, filter, owner);
          return query;
        },
    );
  const watching = (query: unknown) => {
    const site = query instanceof mongoose.Query && ownerId() !== "" ? sites.get(query) : undefined;
    return query instanceof mongoose.Query && site !== undefined ? { query, site } : null;
  };
  wrap(
    mongoose.Query.prototype,
    "exec",
    (original) =>
      async function watched(...args) {
        const watched = watching(this);
        const owner = ownerId();
        if (watched && (mayStray(watched.query, owner) || (await holdsOthers(watched.query, owner))))
          strays(watched.site);
        return original.apply(this, args);
      },
  );
  wrap(
    mongoose.Query.prototype,
    "cursor",
    (original) =>
      function watched(...args) {
        const watched = watching(this);
        if (watched && mayStray(watched.query, ownerId())) strays(watched.site);
        return original.apply(this, args);
      },
  );
}

/** Whether a query names no practice, so that with other data it could find another's. */
const mayStray = (query: Query<unknown, unknown>, owner: string): boolean =>
  othersThan(query.model, owner) !== null && !names(query.getFilter(), owner) && !isOfPerson(query, query.getFilter());

/** Whether what a query asks for is in part another practice's. */
async function holdsOthers(query: Query<unknown, unknown>, owner: string): Promise<boolean> {
  const others = othersThan(query.model, owner);
  return others !== null && (await query.model.collection.findOne({ $and: [query.getFilter(), others] })) !== null;
}

/** What of a collection is of another practice than this; null where nothing there says whose it is. */
function othersThan({ collection, schema }: Query<unknown, unknown>["model"], owner: string): object | null {
  if (schema.path("ownerId")) return { ownerId: { $nin: [owner, null] } };
  // An owner of a practice is of nobody else's.
  if (schema.path("owner_id")) return { _id: { $ne: owner }, owner_id: { $ne: owner } };
  if (collection.name === "mail_sign_ins") return { user_id: { $ne: owner } };
  return BY_OWNER.has(collection.name) ? { _id: { $ne: owner } } : null;
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
