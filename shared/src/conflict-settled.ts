// What a decision on a conflict check lets happen. Free of zod.
import type { ConflictCheck } from "./conflicts.ts";

export const letsGoOn = ({ decision }: Pick<ConflictCheck, "decision">): boolean =>
  decision === "clear" || decision === "waived";

/** Whether nothing of the check is to be decided before the case goes on. */
export const isConflictSettled = ({ latest }: { latest: ConflictCheck | null }): boolean =>
  latest !== null && !latest.isOutdated && letsGoOn(latest);
