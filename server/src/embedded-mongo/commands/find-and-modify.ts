import { docOf } from "../bson/doc-of.ts";
import { failedToParse } from "../bson/fail.ts";
import { compileProjection } from "../project/project.ts";
import type { Doc, Value } from "../values.ts";
import {
  type Command,
  collationField,
  collectionName,
  docField,
  docsField,
  flagField,
  type Operation,
  reply,
  varsOf,
} from "./operation.ts";
import { answeredBefore, remember } from "./retry.ts";
import { checkHint, runDelete, runUpdate } from "./update-step.ts";

type Modified = { value: Doc | undefined; position: number | undefined; outcome: Doc };

async function modify(operation: Operation): Promise<Modified> {
  const { command } = operation;
  const name = collectionName(operation);
  const isRemove = flagField(command, "remove");
  const wantsNew = flagField(command, "new");
  const shared = {
    filter: docField(command, "query") ?? new Map<string, Value>(),
    sort: docField(command, "sort"),
    hint: checkHint(command.get("hint")),
    collation: collationField(command),
    vars: varsOf(command),
    isMulti: false,
  };
  if (isRemove) {
    if (command.has("update")) throw failedToParse("Cannot specify both an update and remove=true");
    if (wantsNew)
      throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
    const { deleted, before, position } = await runDelete(operation, name, { ...shared, isUpsert: false });
    return { value: before, position, outcome: docOf({ n: deleted }) };
  }
  if (!command.has("update")) throw failedToParse("Either an update or remove=true must be specified");
  const arrayFilters = command.has("arrayFilters") ? { arrayFilters: docsField(command, "arrayFilters") } : {};
  const done = await runUpdate(operation, name, {
    ...shared,
    ...arrayFilters,
    update: command.get("update"),
    isUpsert: flagField(command, "upsert"),
  });
  const isUpserted = "upsertedId" in done;
  const outcome = docOf({ n: isUpserted ? 1 : done.matched, updatedExisting: done.matched > 0 });
  if (isUpserted) outcome.set("upserted", done.upsertedId);
  return { value: wantsNew ? done.after : done.before, position: done.position, outcome };
}

const findAndModify: Command = {
  fields:
    "query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let bypassEmptyTsReplacement".split(
      " ",
    ),
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const answered = answeredBefore(operation);
    if (answered) return answered;
    const { command } = operation;
    const fields = docField(command, "fields");
    const collation = collationField(command);
    const project = fields && compileProjection(fields, { ...(collation ? { collation } : {}), vars: varsOf(command) });
    const { value, position, outcome } = await modify(operation);
    const shown = value && project ? project(value, position) : value;
    return remember(operation, reply({ lastErrorObject: outcome, value: shown ?? null }));
  },
};

export const findAndModifyCommands: Record<string, Command> = { findAndModify, findandmodify: findAndModify };
