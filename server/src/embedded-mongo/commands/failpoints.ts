// Faults that the official driver tests ask for; only reachable with test commands switched on.
import { failedToParse } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { numberOf } from "../store/index-spec.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";

type Failpoint = { data: Doc; times: number; skip: number };
export type Failpoints = ReturnType<typeof createFailpoints>;

const KNOWN = ["failCommand", "onPrimaryTransactionalWrite", "failGetMoreAfterCursorCheckout"];

export function createFailpoints() {
  const active = new Map<string, Failpoint>();

  const spend = (name: string, failpoint: Failpoint): boolean => {
    if (failpoint.skip > 0) {
      failpoint.skip -= 1;
      return false;
    }
    failpoint.times -= 1;
    if (failpoint.times <= 0) active.delete(name);
    return true;
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
      const failpoint = active.get("failCommand");
      const names = failpoint?.data.get("failCommands");
      if (!failpoint || !Array.isArray(names) || !names.includes(command)) return undefined;
      const onlyApp = failpoint.data.get("appName");
      if (onlyApp !== undefined && onlyApp !== appName) return undefined;
      return spend("failCommand", failpoint) ? failpoint.data : undefined;
    },
    take(name: string): Doc | undefined {
      const failpoint = active.get(name);
      return failpoint && spend(name, failpoint) ? failpoint.data : undefined;
    },
  };
}

const CODE_NAMES = new Map([
  [24, "LockTimeout"],
  [50, "MaxTimeMSExpired"],
  [112, "WriteConflict"],
  [246, "SnapshotUnavailable"],
  [251, "NoSuchTransaction"],
  [11600, "InterruptedAtShutdown"],
  [11601, "Interrupted"],
]);

/** The error a failpoint asks for. */
export function failure(data: Doc): MongoError | undefined {
  const code = numberOf(data.get("errorCode"));
  if (code === undefined) return undefined;
  const error = new MongoError(
    code,
    CODE_NAMES.get(code) ?? "FailPoint",
    "Failing command via 'failCommand' failpoint",
  );
  const labels = data.get("errorLabels");
  if (Array.isArray(labels)) {
    for (const label of labels) if (typeof label === "string") error.labels.push(label);
    error.details.set("labelsAreFinal", true);
  }
  return error;
}
