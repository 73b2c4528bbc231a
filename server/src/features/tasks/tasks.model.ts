import mongoose from "mongoose";
import type { CreateTask, Task } from "@app/shared/tasks";
import { newId } from "../../core/ids.ts";
import { type Needs, needsField } from "../../core/needs.ts";
import { owned } from "../../core/owned.ts";

/** Sorts tasks without a day behind all others. */
export const NO_DAY = "9999-12-31";

/** Tasks for somebody's safety begin with it, and stand before all others. */
const SAFETY = "Safety: ";
export const isForSafety = (title: string): boolean => title.startsWith(SAFETY);

export interface TaskDoc extends Omit<CreateTask, "dueOn"> {
  _id: string;
  ownerId: string;
  dueOn: string;
  status: Task["status"];
  isOpen: boolean;
  isSafety: boolean;
  needs: Needs;
  /** For its assignee alone: it tells of what others may not know. */
  isPersonal: boolean;
  /** Of whose answer it is, and after what; null for a task that people make. */
  followUp: { partyId: string; after: string; isClosedHere: boolean } | null;
  /** What it is about, such as an entry to be completed: it ends with that and by no hand. Null for most tasks. */
  endsWith: string | null;
  /** What somebody is to do by it, by which it is found again, such as to tell a party of a meeting; null for most tasks. */
  about: string | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

const required = { type: String, required: true };
const link = { type: String, default: null };

const taskMongooseSchema = new mongoose.Schema<TaskDoc>(
  {
    _id: { type: String, default: newId },
    title: required,
    dueOn: required,
    assigneeId: required,
    caseId: link,
    clientId: link,
    status: { type: String, default: "open" },
    isOpen: { type: Boolean, default: true },
    isSafety: { type: Boolean, default: false },
    needs: needsField,
    isPersonal: { type: Boolean, default: false },
    followUp: {
      type: new mongoose.Schema({ partyId: required, after: required, isClosedHere: Boolean }, { _id: false }),
      default: null,
    },
    endsWith: link,
    about: link,
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "tasks", versionKey: false },
);
taskMongooseSchema.plugin(owned);
taskMongooseSchema.index({ ownerId: 1, isOpen: 1, isSafety: -1, dueOn: 1, _id: 1 });
taskMongooseSchema.index({ ownerId: 1, assigneeId: 1, isOpen: 1, isSafety: -1, dueOn: 1, _id: 1 });
taskMongooseSchema.index({ ownerId: 1, clientId: 1, isOpen: 1, isSafety: -1, dueOn: 1, _id: 1 });
taskMongooseSchema.index({ ownerId: 1, caseId: 1, isOpen: 1, isSafety: -1, dueOn: 1, _id: 1 });
taskMongooseSchema.index({ ownerId: 1, endsWith: 1 }, { partialFilterExpression: { endsWith: { $type: "string" } } });

export const TaskModel = mongoose.model("Task", taskMongooseSchema);
