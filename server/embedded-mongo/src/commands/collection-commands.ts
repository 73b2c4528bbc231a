// create, drop, dropDatabase, renameCollection, collMod and the lists.
import { checkOptions } from "../aggregate/stage-types.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { located } from "../bson/fail.ts";
import { compileFilter } from "../query/matcher.ts";
import { type Collection, draftCollection, traitsOf } from "../store/collection.ts";
import { hasKey, normaliseIndexSpec, numberOf } from "../store/index-spec.ts";
import type { ChangeKind } from "../store/oplog.ts";
import { Blocked } from "../store/write-intents.ts";
import { type Doc, isDoc } from "../values.ts";
import { openCursor } from "./cursor-commands.ts";
import * as field from "./fields.ts";
import { type Command, type Operation, reply, whenFree } from "./operation.ts";
import { createCollection, findCollection } from "./write-target.ts";

const CHANGEABLE = ["changeStreamPreAndPostImages", "validator"];
const REFUSED = ["timeseries", "clusteredIndex", "encryptedFields", "expireAfterSeconds"];
const CREATE_FIELDS =
  "collation capped size max viewOn pipeline validationLevel validationAction storageEngine indexOptionDefaults autoIndexId idIndex uuid temp flags";

/** The collection of a command that makes no sense without one. */
export function existingCollection(operation: Operation): Collection {
  const name = field.collectionName(operation);
  const collection = operation.engine.catalogue.find(operation.db, name);
  if (!collection) throw located(26, `ns does not exist: ${operation.db}.${name}`);
  return collection;
}

/** For a change of shape: waits for transactions that are writing there. */
export function checkNotInUse({ engine }: Operation, collection: Collection): void {
  const holder = engine.store.intents.holdersOn(`d${collection.id}:`);
  if (holder) throw new Blocked(holder);
}

/** Runs a change of the catalogue and logs it, in one commit. */
export function changeShape(
  operation: Operation,
  collection: Collection,
  log: { kind: ChangeKind; about?: Doc },
  run: () => void,
): Promise<void> {
  const { group, intents, oplog } = operation.engine.store;
  return whenFree(operation, () =>
    group.write(() => {
      checkNotInUse(operation, collection);
      intents.advance();
      const { db, name, ns } = collection;
      run();
      intents.written([`n${ns}`]);
      const about = new Map([...docOf({ uuid: collection.uuid }), ...(log.about ?? [])]);
      oplog.append({ db, coll: name, kind: log.kind, about });
    }),
  );
}

/** The options that are kept, checked; `before` are those of a collection that is there already. */
function optionsFrom(command: Doc, before: Doc): Doc {
  const { validationLevel = "strict", validationAction = "error" } = Object.fromEntries(command);
  if (validationLevel !== "strict" || validationAction !== "error")
    throw located(72, "validation other than 'strict' with 'error' is not supported by the embedded database");
  const options = new Map(before);
  for (const name of CHANGEABLE) {
    const value = field.doc(command, name);
    if (value && (value.size > 0 || before.has(name))) options.set(name, value);
  }
  return options;
}

/** The options of `create`, checked, in the form in which they are kept. */
function createOptions(command: Doc): Doc {
  for (const name of REFUSED) {
    const value = command.get(name);
    const isAsked = value !== undefined && value !== false && !(isDoc(value) && value.size === 0);
    if (isAsked) throw located(72, `create with ${name} is not supported by the embedded database`);
  }
  const on = command.get("viewOn");
  const isCapped = field.flag(command, "capped");
  if (!isCapped && (command.has("size") || command.has("max")))
    throw located(72, "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
  if (on ? isCapped : command.has("pipeline"))
    throw located(72, "'viewOn' needs a collection without a cap, and 'pipeline' needs 'viewOn'");
  const options = optionsFrom(command, new Map());
  const collation = field.collation(command);
  if (collation) options.set("collation", collation.spec);
  if (isCapped) {
    const [size = 0, max = 0] = [numberOf(command.get("size")), numberOf(command.get("max"))];
    if (!(size > 0)) throw located(72, "the 'size' field is required when 'capped' is true");
    options.set("capped", true).set("size", size);
    if (max > 0) options.set("max", max);
  }
  if (typeof on === "string" && on !== "")
    options.set("viewOn", on).set("pipeline", command.has("pipeline") ? field.docs(command, "pipeline") : []);
  return options;
}

const create: Command = {
  fields: [...CREATE_FIELDS.split(" "), ...CHANGEABLE, ...REFUSED],
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const name = field.collectionName(operation);
    const draft = draftCollection(operation.db, name, createOptions(operation.command));
    await whenFree(operation, () => {
      const existing = findCollection(operation, name);
      if (!existing) return createCollection(operation, draft);
      const isSame = Buffer.compare(encode(existing.options), encode(draft.options)) === 0;
      if (isSame && !operation.transaction) return existing;
      throw located(48, `Collection ${existing.ns} already exists.`);
    });
    return reply();
  },
};

const dropCollection = (operation: Operation, collection: Collection): Promise<void> =>
  changeShape(operation, collection, { kind: "drop" }, () => operation.engine.catalogue.drop(collection));

const drop: Command = {
  fields: [],
  isWrite: true,
  async run(operation) {
    const name = field.collectionName(operation);
    const collection = operation.engine.catalogue.find(operation.db, name);
    if (!collection) return reply();
    await dropCollection(operation, collection);
    return reply({ nIndexesWas: collection.indexes.length, ns: collection.ns });
  },
};

const dropDatabase: Command = {
  fields: [],
  isWrite: true,
  async run(operation) {
    const { engine, db } = operation;
    const { group, oplog } = engine.store;
    const collections = engine.catalogue.collections(db);
    for (const collection of collections) await dropCollection(operation, collection);
    if (collections.length > 0)
      group.write(() => oplog.append({ db, coll: "", kind: "dropDatabase", about: new Map() }));
    return reply({ dropped: db });
  },
};

const renameCollection: Command = {
  fields: ["to", "dropTarget"],
  isWrite: true,
  async run(operation) {
    const { engine, command } = operation;
    const from = field.namespace(command.get("renameCollection"));
    const to = field.namespace(command.get("to"));
    const source = engine.catalogue.find(from.db, from.coll);
    if (!source) throw located(26, `Source collection ${from.db}.${from.coll} does not exist`);
    const target = engine.catalogue.find(to.db, to.coll);
    if (target === source) throw located(20, "Can't rename a collection to itself");
    if (target && !field.flag(command, "dropTarget")) throw located(48, "target namespace exists");
    if (target) await dropCollection(operation, target);
    const operationDescription = docOf({ to: docOf(to), ...(target ? { dropTarget: target.uuid } : {}) });
    const about = docOf({ to: docOf(to), operationDescription });
    await changeShape(operation, source, { kind: "rename", about }, () =>
      engine.catalogue.rename(source, to.db, to.coll),
    );
    return reply();
  },
};

const collMod: Command = {
  fields: ["index", "validationLevel", "validationAction", ...CHANGEABLE],
  isWrite: true,
  async run(operation) {
    const { engine, command } = operation;
    const collection = existingCollection(operation);
    const options = optionsFrom(command, collection.options);
    // Mistakes in them are told before anything is changed.
    traitsOf(options);
    const asked = field.doc(command, "index");
    await changeShape(operation, collection, { kind: "modify" }, () => {
      if (asked) modifyIndex(operation, collection, asked);
      engine.catalogue.setOptions(collection, options);
    });
    return reply();
  },
};

function modifyIndex({ engine }: Operation, collection: Collection, asked: Doc): void {
  const { name, keyPattern, ...changes } = Object.fromEntries(asked);
  const index = collection.indexes.find((one) => one.name === name || (isDoc(keyPattern) && hasKey(one, keyPattern)));
  if (!index) throw located(27, "cannot find index for collMod");
  checkOptions(docOf(changes), ["expireAfterSeconds", "hidden"], "collMod.index", 40415);
  const spec = normaliseIndexSpec(new Map([...index.spec, ...docOf(changes)]), undefined);
  engine.catalogue.replaceIndexSpec(collection, index, spec);
}

const describeCollection = ({ name, options, uuid, indexes }: Collection): Doc =>
  docOf({
    name,
    type: "collection",
    options,
    info: docOf({ readOnly: false, uuid }),
    idIndex: indexes[0]?.spec ?? null,
  });

/** Leaves out what a client that only wants the names does not need. */
const onlyNames = (docs: Doc[], command: Doc, fields: string[]): Doc[] =>
  field.flag(command, "nameOnly") ? docs.map((doc) => new Map(fields.map((name) => [name, doc.get(name)]))) : docs;

const listCollections: Command = {
  fields: ["filter", "nameOnly", "cursor", "authorizedCollections"],
  run(operation) {
    const { engine, command, db } = operation;
    const filter = compileFilter(field.doc(command, "filter") ?? new Map());
    const described = engine.catalogue
      .collections(db)
      .map(describeCollection)
      .filter((doc) => filter.matches(doc));
    const rows = onlyNames(described, command, ["name", "type"]).map((doc) => encode(doc));
    const batchSize = field.batchSize(command);
    return openCursor(operation, { ns: `${db}.$cmd.listCollections`, rows: rows.values(), batchSize });
  },
};

const listDatabases: Command = {
  fields: ["filter", "nameOnly", "authorizedDatabases"],
  run({ engine, command }) {
    const filter = compileFilter(field.doc(command, "filter") ?? new Map());
    const { main } = engine.store;
    const bytes = main.number("PRAGMA page_count") * main.number("PRAGMA page_size");
    const databases = engine.catalogue
      .databaseNames()
      .map((name) => docOf({ name, sizeOnDisk: bytes, empty: false }))
      .filter((doc) => filter.matches(doc));
    const totalSize = databases.length > 0 ? bytes : 0;
    const totals = { totalSize, totalSizeMb: Math.round(totalSize / 1024 / 1024) };
    return reply({
      databases: onlyNames(databases, command, ["name"]),
      ...(field.flag(command, "nameOnly") ? {} : totals),
    });
  },
};

export const collectionCommands: Record<string, Command> = {
  create,
  drop,
  dropDatabase,
  renameCollection,
  collMod,
  listCollections,
  listDatabases,
};
