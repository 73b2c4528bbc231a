// create, drop, dropDatabase, renameCollection, collMod and the lists.
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { compileFilter } from "../query/matcher.ts";
import { checkCollectionName, type Collection, draftCollection } from "../store/catalogue.ts";
import { numberOf } from "../store/index-spec.ts";
import type { ChangeKind } from "../store/oplog.ts";
import { Blocked } from "../transactions/write-intents.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import { changedOptions, COLL_MOD_FIELDS, CREATE_FIELDS, createOptions } from "./collection-options.ts";
import { openCursor } from "./cursor-reply.ts";
import {
  type Command,
  collectionName,
  countField,
  docField,
  flagField,
  type Operation,
  reply,
  whenFree,
} from "./operation.ts";
import { createCollection, findCollection } from "./write-target.ts";

const missing = (db: string, name: string): MongoError =>
  new MongoError(26, "NamespaceNotFound", `ns not found: ${db}.${name}`);

/** For a change of shape: waits for transactions that are writing there. */
export function checkNotInUse({ engine }: Pick<Operation, "engine">, collection: Collection): void {
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
  const { engine } = operation;
  return whenFree(operation, () =>
    engine.store.group.write(() => {
      checkNotInUse(operation, collection);
      engine.store.intents.advance();
      const { db, name, ns } = collection;
      run();
      engine.store.intents.written([`n${ns}`]);
      const about: Doc = new Map<string, Value>([["uuid", collection.uuid], ...(log.about ?? [])]);
      engine.store.oplog.append({ db, coll: name, kind: log.kind, about });
    }),
  );
}

const create: Command = {
  fields: CREATE_FIELDS,
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const name = collectionName(operation);
    const options = createOptions(operation.command);
    await whenFree(operation, () => {
      const existing = findCollection(operation, name);
      if (!existing) return createCollection(operation, draftCollection(operation.db, name, options));
      const isSame = Buffer.compare(encode(existing.options), encode(options)) === 0;
      if (isSame && !operation.transaction) return existing;
      throw new MongoError(48, "NamespaceExists", `Collection ${existing.ns} already exists.`);
    });
    return reply();
  },
};

export async function dropCollection(operation: Operation, collection: Collection): Promise<void> {
  const { engine } = operation;
  await changeShape(operation, collection, { kind: "drop" }, () => engine.catalogue.drop(collection));
}

const drop: Command = {
  fields: [],
  isWrite: true,
  async run(operation) {
    const name = collectionName(operation);
    const collection = operation.engine.catalogue.find(operation.db, name);
    if (!collection) return reply();
    const indexes = collection.indexes.length;
    await dropCollection(operation, collection);
    return reply({ nIndexesWas: indexes, ns: collection.ns });
  },
};

const dropDatabase: Command = {
  fields: [],
  isWrite: true,
  async run(operation) {
    const { engine, db } = operation;
    const collections = engine.catalogue.collections(db);
    for (const collection of collections) await dropCollection(operation, collection);
    if (collections.length > 0)
      engine.store.group.write(() =>
        engine.store.oplog.append({ db, coll: "", kind: "dropDatabase", about: new Map() }),
      );
    return reply({ dropped: db });
  },
};

export const splitNamespace = (value: Value): [string, string] => {
  const dot = typeof value === "string" ? value.indexOf(".") : -1;
  if (typeof value !== "string" || dot < 1)
    throw new MongoError(73, "InvalidNamespace", `Invalid namespace specified '${showValue(value)}'`);
  return [value.slice(0, dot), value.slice(dot + 1)];
};

const renameCollection: Command = {
  fields: ["to", "dropTarget"],
  isWrite: true,
  async run(operation) {
    const { engine, command } = operation;
    const [db, name] = splitNamespace(command.get("renameCollection"));
    const [toDb, toName] = splitNamespace(command.get("to"));
    checkCollectionName(toDb, toName);
    const source = engine.catalogue.find(db, name);
    if (!source) throw new MongoError(26, "NamespaceNotFound", `Source collection ${db}.${name} does not exist`);
    if (db === toDb && name === toName)
      throw new MongoError(20, "IllegalOperation", "Can't rename a collection to itself");
    const target = engine.catalogue.find(toDb, toName);
    if (target && !flagField(command, "dropTarget"))
      throw new MongoError(48, "NamespaceExists", "target namespace exists");
    if (target) await dropCollection(operation, target);
    const to: Doc = docOf({ db: toDb, coll: toName });
    const description: Doc = new Map<string, Value>([
      ["to", to],
      ...(target ? [["dropTarget", target.uuid] satisfies [string, Value]] : []),
    ]);
    const about: Doc = docOf({ to, operationDescription: description });
    await changeShape(operation, source, { kind: "rename", about }, () =>
      engine.catalogue.rename(source, toDb, toName),
    );
    return reply();
  },
};

const collMod: Command = {
  fields: ["index", ...COLL_MOD_FIELDS],
  isWrite: true,
  async run(operation) {
    const { engine, command, db } = operation;
    const name = collectionName(operation);
    const collection = engine.catalogue.find(db, name);
    if (!collection) throw missing(db, name);
    const options = changedOptions(command, collection.options);
    const asked = docField(command, "index");
    await changeShape(operation, collection, { kind: "modify" }, () => {
      engine.catalogue.setOptions(collection, options);
      if (asked) modifyIndex(operation, collection, asked);
    });
    return reply();
  },
};

function modifyIndex({ engine }: Operation, collection: Collection, asked: Doc): void {
  const pattern = asked.get("keyPattern");
  const index = collection.indexes.find((each) => {
    const key = each.spec.get("key");
    return (
      each.name === asked.get("name") ||
      (isDoc(pattern) && isDoc(key) && Buffer.compare(encode(pattern), encode(key)) === 0)
    );
  });
  if (!index) throw new MongoError(27, "IndexNotFound", "cannot find index for collMod");
  const spec = new Map(index.spec);
  const seconds = numberOf(asked.get("expireAfterSeconds"));
  if (seconds !== undefined) spec.set("expireAfterSeconds", Math.trunc(seconds));
  if (asked.has("hidden")) spec.set("hidden", asked.get("hidden") === true);
  if (asked.has("unique") || asked.has("prepareUnique"))
    throw badValue("collMod of unique is not supported by the embedded database");
  engine.catalogue.replaceIndexSpec(collection, index, spec);
}

function describeCollection(collection: Collection, isNameOnly: boolean): Doc {
  const fields: [string, Value][] = [
    ["name", collection.name],
    ["type", "collection"],
  ];
  if (isNameOnly) return new Map(fields);
  const info = docOf({ readOnly: false, uuid: collection.uuid });
  return new Map<string, Value>([
    ...fields,
    ["options", collection.options],
    ["info", info],
    ["idIndex", collection.indexes[0]?.spec ?? null],
  ]);
}

const listCollections: Command = {
  fields: ["filter", "nameOnly", "cursor", "authorizedCollections"],
  run(operation) {
    const { engine, command, db } = operation;
    const filter = compileFilter(docField(command, "filter") ?? new Map());
    const isNameOnly = flagField(command, "nameOnly");
    const described = engine.catalogue
      .collections(db)
      .filter((collection) => filter.matches(describeCollection(collection, false)));
    const rows = described.map((collection) => encode(describeCollection(collection, isNameOnly)));
    const batchSize = countField(docField(command, "cursor") ?? new Map(), "batchSize");
    return openCursor(operation, { ns: `${db}.$cmd.listCollections`, rows: rows.values(), batchSize });
  },
};

const listDatabases: Command = {
  fields: ["filter", "nameOnly", "authorizedDatabases"],
  run({ engine, command }) {
    const filter = compileFilter(docField(command, "filter") ?? new Map());
    const isNameOnly = flagField(command, "nameOnly");
    const pages =
      Number(engine.store.main.get("PRAGMA page_count")?.["page_count"]) *
      Number(engine.store.main.get("PRAGMA page_size")?.["page_size"]);
    const databases = engine.catalogue
      .databaseNames()
      .map((name): Doc => docOf({ name, sizeOnDisk: pages, empty: false }));
    const shown = databases.filter((database) => filter.matches(database));
    if (isNameOnly) return reply({ databases: shown.map((database) => docOf({ name: database.get("name") })) });
    return reply({
      databases: shown,
      totalSize: shown.length > 0 ? pages : 0,
      totalSizeMb: Math.round(pages / 1024 / 1024),
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
