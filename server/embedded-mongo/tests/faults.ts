// Faults and shortcuts that the official driver tests ask for, around the engine that answers as it always does.
import { setTimeout as sleep } from "node:timers/promises";
import { failedToParse, located } from "../src/bson/fail.ts";
import { showValue } from "../src/bson/show.ts";
import { RESUMABLE } from "../src/commands/cursor-commands.ts";
import { answer, type Answerer, errorFields, isEnd, RETRYABLE } from "../src/commands/dispatch.ts";
import { reply } from "../src/commands/operation.ts";
import type { Engine } from "../src/engine.ts";
import { numberOf } from "../src/store/index-spec.ts";
import { storageError } from "../src/store/sqlite-file.ts";
import { type Doc, isDoc, type MongoError, type Value } from "../src/values.ts";
import type { Reply } from "../src/wire/message.ts";

interface Failpoint {
  data: Doc;
  times: number;
  skip: number;
}

const KNOWN = ["failCommand", "onPrimaryTransactionalWrite", "failGetMoreAfterCursorCheckout"];

function createFailpoints() {
  const active = new Map<string, Failpoint>();

  const take = (name: string): Doc | undefined => {
    const failpoint = active.get(name);
    if (!failpoint) return undefined;
    if (failpoint.skip > 0) {
      failpoint.skip -= 1;
      return undefined;
    }
    failpoint.times -= 1;
    if (failpoint.times <= 0) active.delete(name);
    return failpoint.data;
  };

  return {
    configure(name: Value, mode: Value, data: Value): void {
      if (typeof name !== "string" || !KNOWN.includes(name))
        throw failedToParse(`failpoint not found: ${showValue(name)}`);
      if (mode === "off") return void active.delete(name);
      const times = isDoc(mode) ? (numberOf(mode.get("times")) ?? Infinity) : Infinity;
      const skip = isDoc(mode) ? (numberOf(mode.get("skip")) ?? 0) : 0;
      if (times > 0) active.set(name, { data: isDoc(data) ? data : new Map(), times, skip });
    },
    /** What should go wrong with this command, if anything. */
    forCommand(command: string, appName: string | undefined): Doc | undefined {
      const data = active.get("failCommand")?.data;
      const names = data?.get("failCommands");
      if (!Array.isArray(names) || !names.includes(command)) return undefined;
      const onlyApp = data?.get("appName");
      return onlyApp === undefined || onlyApp === appName ? take("failCommand") : undefined;
    },
    take,
  };
}

/** The error that a fail point asks for; labels that it names itself are all that the reply bears. */
function failure(data: Doc): { error: MongoError; labels: Value[] | undefined } | undefined {
  const code = numberOf(data.get("errorCode"));
  if (code === undefined) return undefined;
  const error = located(code, "Failing command via 'failCommand' failpoint");
  const labels = data.get("errorLabels");
  return { error, labels: Array.isArray(labels) ? labels : undefined };
}

function refusal(engine: Engine, command: Doc, data: Doc): Reply | undefined {
  const failing = failure(data);
  if (!failing) return undefined;
  const fields = errorFields(failing.error, engine, command);
  if (failing.labels) {
    fields.delete("errorLabels");
    if (failing.labels.length > 0) fields.set("errorLabels", failing.labels);
  }
  return { fields };
}

function addWriteConcernError({ fields }: Reply, command: Doc, data: Doc): void {
  const asked = data.get("writeConcernError");
  if (!isDoc(asked) || fields.get("ok") !== 1) return;
  const [name = ""] = command.keys();
  fields.set("writeConcernError", asked);
  const labels = data.get("errorLabels") ?? asked.get("errorLabels");
  const isRetryable = command.has("txnNumber") && (command.get("autocommit") !== false || isEnd(name));
  if (Array.isArray(labels)) fields.set("errorLabels", labels);
  else if (isRetryable && RETRYABLE.has(numberOf(asked.get("code")) ?? 0))
    fields.set("errorLabels", ["RetryableWriteError"]);
}

/** A getMore that fails has lost its cursor; a change stream may be resumed where the error is one that passes. */
function failGetMore(engine: Engine, command: Doc, data: Doc): Reply | undefined {
  const failing = failure(data);
  if (!failing) return undefined;
  let isStream = false;
  engine.cursors.killWhere((cursor) => {
    const isMeant = cursor.id === command.get("getMore");
    isStream ||= isMeant && cursor.stream !== undefined;
    return isMeant;
  });
  if (isStream && RESUMABLE.has(failing.error.code)) failing.error.labels.push("ResumableChangeStreamError");
  return failing.labels ? refusal(engine, command, data) : { fields: errorFields(failing.error, engine, command) };
}

async function blocked(data: Doc): Promise<void> {
  if (data.get("blockConnection") !== true) return;
  await sleep(numberOf(data.get("blockTimeMS")) ?? 0);
}

/** Answers as the engine does, and what the fail points make of it that are set meanwhile. */
export function answerWithFaults(): Answerer {
  const failpoints = createFailpoints();
  return async (engine, client, request) => {
    const { command } = request;
    const [name = ""] = command.keys();
    try {
      if (name === "configureFailPoint") {
        failpoints.configure(command.get(name), command.get("mode"), command.get("data"));
        return reply();
      }
      if (name === "killAllSessions") {
        engine.sessions.endAll();
        return reply();
      }
    } catch (error) {
      return { fields: errorFields(storageError(error, engine.path), engine, command) };
    }
    const data = failpoints.forCommand(name, client.appName);
    const lost = name === "getMore" ? failpoints.take("failGetMoreAfterCursorCheckout") : undefined;
    const failedMore = lost && failGetMore(engine, command, lost);
    if (failedMore) return failedMore;
    if (!data) {
      const { fields, ...rest } = await answer(engine, client, request);
      if (fields.has("enableTestCommands")) fields.set("enableTestCommands", true);
      return { ...rest, fields };
    }
    await blocked(data);
    const failing = data.has("writeConcernError") ? undefined : refusal(engine, command, data);
    const answered = failing ?? (await answer(engine, client, request));
    addWriteConcernError(answered, command, data);
    if (data.get("closeConnection") === true) client.close();
    return answered;
  };
}
