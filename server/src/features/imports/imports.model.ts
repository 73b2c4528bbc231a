import mongoose from "mongoose";
import { type DataImport, IMPORT_KEPT_DAYS, type ImportProblem } from "@app/shared/imports";
import { DAY_MS } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

type Stored = Omit<DataImport, "id" | "startedAt" | "createdAt" | "updatedAt">;

export interface ImportDoc extends Stored {
  _id: string;
  ownerId: string;
  /** Who chose the file. */
  uploadedBy: string;
  /** As whom the rows are checked, stored or taken back: with what they may do at that moment. */
  startedBy: string;
  /** The number of the first row below the headings, as a spreadsheet counts. */
  firstRow: number;
  /** All of the file is stored. */
  isComplete: boolean;
  /** It is removed, and so are its rows, one after the other. */
  isGoing?: boolean;
  /** How often its rows were begun with; what was told of them is of one time. None where that was not yet counted. */
  pass?: number;
  /** Which process takes in the file, checks or stores its rows, or takes them back; empty where none does. */
  heldBy: string;
  startedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const IMPORT_KEPT_MS = IMPORT_KEPT_DAYS * DAY_MS;
const required = { type: String, required: true };
const number = { type: Number, default: 0 };

const importMongooseSchema = new mongoose.Schema<ImportDoc>(
  {
    _id: { type: String, default: newId },
    kind: required,
    fileName: required,
    sizeBytes: number,
    readAs: { type: String, default: "" },
    status: { type: String, default: "mapping" },
    headings: [String],
    sample: [[String]],
    columns: [String],
    duplicates: { type: String, default: "skip" },
    dateOrder: required,
    total: number,
    done: number,
    counts: {
      ready: number,
      duplicates: number,
      bad: number,
      empty: number,
      imported: number,
      undone: number,
      kept: number,
    },
    failure: { type: String, default: "" },
    startedByName: required,
    uploadedBy: required,
    startedBy: required,
    firstRow: number,
    isComplete: { type: Boolean, default: false },
    isGoing: Boolean,
    pass: Number,
    heldBy: { type: String, default: "" },
    startedAt: { type: Date, default: null },
  },
  { timestamps: true, collection: "imports", versionKey: false },
);
importMongooseSchema.plugin(owned);
importMongooseSchema.index({ ownerId: 1, isComplete: 1, createdAt: -1, _id: -1 });
importMongooseSchema.index({ status: 1, isComplete: 1 });

export const ImportModel = mongoose.model("Import", importMongooseSchema);

export interface ImportChunkDoc {
  _id: string;
  ownerId: string;
  importId: string;
  /** The number of its first row, and how many it has. */
  from: number;
  count: number;
  /** The cells of its rows as JSON: they are read as they were written, and nothing asks for one of them. */
  rows: string;
  made: { row: number; id: string }[];
  keptFrom: Date;
}

const chunkMongooseSchema = new mongoose.Schema<ImportChunkDoc>(
  {
    _id: { type: String, default: newId },
    importId: required,
    from: { type: Number, required: true },
    count: { type: Number, required: true },
    rows: required,
    made: [{ _id: false, row: Number, id: String }],
    keptFrom: { type: Date, required: true },
  },
  { collection: "import_chunks", versionKey: false },
);
chunkMongooseSchema.plugin(owned);
chunkMongooseSchema.index({ ownerId: 1, importId: 1, from: 1 });
chunkMongooseSchema.index({ keptFrom: 1, _id: 1 });

export const ImportChunkModel = mongoose.model("ImportChunk", chunkMongooseSchema);

export interface ImportProblemDoc extends ImportProblem {
  _id: string;
  ownerId: string;
  importId: string;
  pass?: number | null;
  /** What was made and is named here; empty where the file's own words stand, and in lines from before it was kept. */
  recordId: string;
  /** Its name, where the line speaks of a record that was there before; not there in lines from before it was kept. */
  recordName?: string;
  createdAt: Date;
}

const problemMongooseSchema = new mongoose.Schema<ImportProblemDoc>(
  {
    _id: { type: String, default: newId },
    importId: required,
    pass: Number,
    kind: required,
    row: { type: Number, required: true },
    column: { type: String, default: "" },
    value: { type: String, default: "" },
    message: required,
    recordId: { type: String, default: "" },
    recordName: String,
  },
  { timestamps: { createdAt: true, updatedAt: false }, collection: "import_problems", versionKey: false },
);
problemMongooseSchema.plugin(owned);
problemMongooseSchema.index({ ownerId: 1, importId: 1, pass: 1, row: 1, _id: 1 });
problemMongooseSchema.index({ createdAt: 1, _id: 1 });

export const ImportProblemModel = mongoose.model("ImportProblem", problemMongooseSchema);

/** What is told of the rows of an import now. */
export const problemsOf = ({ ownerId, _id, pass = 0 }: Pick<ImportDoc, "ownerId" | "_id" | "pass">) => ({
  ownerId,
  importId: _id,
  pass: pass === 0 ? null : pass,
});

export const toImport = (doc: ImportDoc): DataImport => ({
  ...doc,
  id: doc._id,
  startedAt: doc.startedAt?.toISOString() ?? null,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
});
