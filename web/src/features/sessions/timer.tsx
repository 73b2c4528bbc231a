import { elapsedMs } from "@app/shared/session-states";
import type { Session } from "@app/shared/sessions";
import { useEffect, useState } from "react";
import { clockText, hoursText } from "./session-words.ts";

// More often than the digits change, so that none is skipped.
const TICK_MS = 500;

/** How long the session has run. It counts from the stored start, so that a reload loses no second. */
export function Timer({ session }: { session: Session }) {
  const isRunning = session.status === "in_progress" && session.pausedAt === null;
  const [at, setAt] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setAt(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (session.startedAt === null) return <span className="cockpit-planned">Not started</span>;
  const text = clockText(elapsedMs(session, at));
  return (
    <span className="cockpit-time">
      <span className="cockpit-timer tabular" role="timer" aria-label={`Session time ${text}`}>
        {text}
      </span>
      {session.pausedAt !== null && session.status === "in_progress" && <span className="cockpit-planned">paused</span>}
      {session.plannedMinutes !== null && (
        <span className="cockpit-planned tabular">of {hoursText(session.plannedMinutes)}</span>
      )}
    </span>
  );
}
