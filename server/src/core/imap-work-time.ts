// Whose answers the thread works on, and for how long: what costs too much is the matter of one mailbox alone.
import { supplyOf } from "./imap-account.ts";

const WORK_MS_A_SECOND = 100;

interface Working {
  connection: number;
  startedMs: number;
  /** False where it was too much. */
  spend: (ms: number) => boolean;
  onTooMuch: () => void;
}

export interface WorkTime {
  begin: () => void;
  end: () => void;
}

/** Keeps in `shown` the number of the connection whose answer is read now; whoever ends the thread can still look there. */
export function watchWorkTime(shown: Int32Array, workMaxMs: number) {
  let current: Working | null = null;
  let isEnding = false;
  // Of a person, and not of a connection: what was cut off is asked for again over another.
  const supplies = new Map<string, ReturnType<typeof supplyOf>>();
  const end = () => {
    if (!current) return;
    const { startedMs, spend, onTooMuch } = current;
    current = null;
    Atomics.store(shown, 0, 0);
    if (!spend(workedMs() - startedMs)) onTooMuch();
  };
  // What waits for its server lets others work meanwhile.
  const endSoon = () => {
    if (isEnding) return;
    isEnding = true;
    setImmediate(() => {
      isEnding = false;
      end();
    });
  };
  return ({ connection, of }: { connection: number; of: string }, onTooMuch: () => void): WorkTime => {
    const supply = supplies.get(of) ?? supplyOf({ most: workMaxMs, aSecond: WORK_MS_A_SECOND });
    supplies.set(of, supply);
    return {
      begin() {
        end();
        current = { connection, startedMs: workedMs(), spend: (ms) => supply.take(ms), onTooMuch };
        Atomics.store(shown, 0, connection);
        endSoon();
      },
      end: () => current?.connection === connection && end(),
    };
  };
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
