import type { ImportStatus } from "@app/shared/import-states";
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import type { DataImport } from "@app/shared/imports";
import { NO_COUNTS } from "@app/shared/imports";
import type { Door } from "./door.ts";

const permission = ["clients.read", "data.export"] as const;
const importing = ["clients.read", "clients.write", "data.export"] as const;

export const IMPORTS_ACCESS: Record<string, Door> = {
  "imports.list": { access: "subscribed", permission, input: () => ({ page: 1 }), stranger: "own" },
  "imports.get": { access: "subscribed", permission, input: ({ importId }) => ({ id: importId }), stranger: "missing" },
  "imports.listProblems": {
    access: "subscribed",
    permission,
    input: ({ importId }) => ({ id: importId }),
    stranger: "missing",
  },
  "imports.check": {
    access: "subscribed",
    permission: importing,
    input: ({ importId }) => ({ id: importId, columns: ["lastName"], duplicates: "skip", dateOrder: "dmy" }),
    stranger: "missing",
  },
  "imports.start": {
    access: "subscribed",
    permission: importing,
    input: ({ checkedImportId }) => ({ id: checkedImportId }),
    stranger: "missing",
  },
  "imports.cancel": {
    access: "subscribed",
    permission: importing,
    input: ({ runningImportId }) => ({ id: runningImportId }),
    stranger: "missing",
  },
  "imports.undo": {
    access: "subscribed",
    permission: importing,
    input: ({ doneImportId }) => ({ id: doneImportId, keepsChanged: false }),
    stranger: "missing",
  },
  "imports.discard": {
    access: "subscribed",
    permission: importing,
    input: ({ importId }) => ({ id: importId }),
    stranger: "missing",
  },
};

/** An import of one row, as it stands in this state, without anybody working on it. */
export async function anImport(ownerId: string, status: ImportStatus, word: string): Promise<string> {
  const _id = newId();
  const at = new Date();
  const fields: Omit<DataImport, "id" | "createdAt" | "updatedAt"> = {
    kind: "clients",
    fileName: `${word}.csv`,
    sizeBytes: 20,
    readAs: "CSV with commas, UTF-8",
    status,
    headings: ["Surname"],
    sample: [[word]],
    columns: ["lastName"],
    duplicates: "skip",
    dateOrder: "dmy",
    total: 1,
    done: 1,
    counts: { ...NO_COUNTS, bad: 1 },
    startedAt: null,
    failure: "",
    startedByName: "Ines Marchbank",
  };
  const actor = { userId: ownerId, role: 1, permissions: [], isAssignedOnly: false };
  await mongoose.connection.collection<{ _id: string; [field: string]: unknown }>("imports").insertOne({
    ...fields,
    _id,
    ownerId,
    actor,
    firstRow: 2,
    isComplete: true,
    heldBy: "",
    createdAt: at,
    updatedAt: at,
  });
  const part = { ownerId, importId: _id, createdAt: at };
  await mongoose.connection
    .collection<{ _id: string; [field: string]: unknown }>("import_chunks")
    .insertOne({ ...part, _id: newId(), from: 2, count: 1, rows: JSON.stringify([[word]]), made: [], keptFrom: at });
  await mongoose.connection.collection<{ _id: string; [field: string]: unknown }>("import_problems").insertOne({
    ...part,
    _id: newId(),
    kind: "bad",
    row: 2,
    column: "Surname",
    value: word,
    message: "Enter a first name",
  });
  return _id;
}
