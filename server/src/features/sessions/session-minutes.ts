import { elapsedMs } from "@app/shared/session-states";
import { SESSION_MINUTES_MAX } from "@app/shared/sessions";
import { MINUTE_MS } from "../../core/clock.ts";

interface Held {
  startedAt: Date;
  endedAt: Date;
  pausedMs: number;
}

/** How long it took without its pauses, in whole minutes. */
export function minutesOf({ startedAt, endedAt, pausedMs }: Held): number {
  const times = { startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString(), pausedAt: null, pausedMs };
  return Math.min(Math.round(elapsedMs(times, endedAt.getTime()) / MINUTE_MS), SESSION_MINUTES_MAX);
}
