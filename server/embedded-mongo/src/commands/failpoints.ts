// Faults and shortcuts that the official driver tests ask for; only reachable with test commands switched on.
import { failedToParse, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { numberOf } from "../store/index-spec.ts";
import { type Doc, isDoc, type MongoError, type Value } from "../values.ts";
import { type Command, reply } from "./operation.ts";

type Failpoint = { data: Doc; times: number; skip: number };
export type Failpoints = ReturnType<typeof createFailpoints>;

const KNOWN = ["failCommand", "onPrimaryTransactionalWrite", "failGetMoreAfterCursorCheckout"];

export function createFailpoints() {
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

/** The error a failpoint asks for. */
export function failure(data: Doc): MongoError | undefined {
  const code = numberOf(data.get("errorCode"));
  if (code === undefined) return undefined;
  const error = located(code, "Failing command via 'failCommand' failpoint");
  const labels = data.get("errorLabels");
  if (Array.isArray(labels)) {
    error.labels.push(...labels.filter((label) => typeof label === "string"));
    error.details.set("labelsAreFinal", true);
  }
  return error;
}

const killAllSessions: Command = {
  fields: [],
  run({ engine }) {
    if (!engine.hasTestCommands) throw located(13, "killAllSessions is a test command");
    engine.sessions.endAll();
    return reply();
  },
};

const configureFailPoint: Command = {
  fields: ["mode", "data"],
  run({ engine, command }) {
    if (!engine.hasTestCommands) throw located(59, "no such command: 'configureFailPoint'");
    engine.failpoints.configure(command.get("configureFailPoint"), command.get("mode"), command.get("data"));
    return reply();
  },
};

export const testCommands: Record<string, Command> = { killAllSessions, configureFailPoint };
