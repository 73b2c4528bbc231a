// Long work in turns of practices: one short piece, then the next practice that waits. What has to wait holds no place.
import { setTimeout as sleep } from "node:timers/promises";
import { withoutCaller } from "./caller.ts";
import { SECOND_MS } from "./clock.ts";
import { counted, DiedOverError, forgetDeaths, NotNowError, restAfterDeaths } from "./deaths.ts";
import { defineRepeatedJob, defineWorker } from "./jobs.ts";
import type { Logger } from "./logger.ts";

/** So long a piece goes on where others wait. */
const PIECE_MS = 2 * SECOND_MS;
/** After so long others go on beside a piece that does not end, such as one that waits for a slow server. */
const LATE_AFTER_MS = 5 * SECOND_MS;
const WATCH_MS = SECOND_MS;
const STOPPING_MS = 20;
/** So many pieces of a kind, for each place, may go on beside others after they were late. */
const LATE_MAX = 4;

/** A thing that work is done on, and whose it is. */
export interface Task {
  ownerId: string;
  id: string;
  /** Who of the practice it is for, where turns go round over them too. */
  userId?: string;
}

export interface Turn {
  /** Asked between steps: whether it is time to leave the place to whoever waits. */
  isOver: () => boolean;
  /** Told where some of it is stored: no process dies over that any more. */
  step: () => void;
}

interface Kind {
  /** Of the look for what has to be done. */
  name: string;
  everyMs: number;
  takenOverAfterMs?: number;
  /** Pieces side by side in this process, those of one practice among them, and of one person; as many where left out. */
  atOnce: number;
  ofPractice: number;
  ofPerson?: number;
  /** What is due and nobody works on, of all practices. */
  find: () => Promise<Task[]>;
  /**
   * Does some of it: gives in how many milliseconds it goes on, or null where it is done, or is found again when it is
   * due. It stores how far it got, so that another process can go on; what two must not do at once it claims itself.
   */
  work: (task: Task, turn: Turn, log: Logger) => Promise<number | null>;
  /**
   * Too many processes died over it: puts it where it is not found again by itself, and where whoever can act sees it.
   * Where left out it rests for a day. "its items" where they are counted by themselves.
   */
  setAside?: "its items" | ((task: Task, log: Logger) => Promise<unknown>);
}

export interface WorkTurns {
  /** There is something to do, by now; whatever is asked of this process before it works is found when it does. */
  add: (task: Task) => void;
  /** Works here and now until it is done, or left for later. */
  untilDone: (task: Task, log: Logger) => Promise<void>;
  /** Works here and now on all that is due. */
  onAllDue: (log: Logger) => Promise<void>;
}

interface Running {
  task: Task;
  startedAt: number;
  isLate: boolean;
}

/** Those that are late keep no place, up to a number. */
const isRoomIn = (running: readonly Running[], places: number): boolean =>
  running.filter(({ isLate }) => !isLate).length < places && running.length < places * (1 + LATE_MAX);

/** Whatever waits of the person who has a turn stands behind what waits of their colleagues. */
function putLast(line: Map<string, Task>, { userId }: Task): Map<string, Task> {
  if (userId === undefined) return line;
  const isTheirs = ([, task]: readonly [string, Task]) => task.userId === userId;
  const all = [...line];
  return new Map([...all.filter((one) => !isTheirs(one)), ...all.filter(isTheirs)]);
}

/** Nothing of it is kept but here and in what the tasks are about: both are bounded by what is there to be done. */
export function defineWorkTurns(kind: Kind): WorkTurns {
  const { name, everyMs, takenOverAfterMs, find } = kind;
  const work = countedWork(kind);
  const turns = turnsOf({ ...kind, work });
  defineWorker(turns);
  defineRepeatedJob({
    name,
    everyMs,
    ...(takenOverAfterMs === undefined ? {} : { takenOverAfterMs }),
    run: async () => turns.addFound(await find()),
  });
  const untilDone = async (task: Task, log: Logger) => {
    for (let inMs: number | null = 0; inMs !== null;) {
      await sleep(inMs);
      inMs = await work(task, { isOver: () => false, step: () => undefined }, log);
    }
  };
  return {
    add: turns.add,
    untilDone,
    async onAllDue(log) {
      for (const task of await find()) await untilDone(task, log);
    },
  };
}

/** Each piece is counted before it is begun, and set aside where no process survives it. */
function countedWork({ name, work, setAside }: Kind): Kind["work"] {
  if (setAside === "its items") return work;
  return async (task, turn, log) => {
    try {
      const place = `${name}:${task.ownerId}:${task.id}`;
      return await counted(place, (step) => work(task, { ...turn, step }, log));
    } catch (error) {
      if (error instanceof NotNowError) return null;
      if (!(error instanceof DiedOverError)) throw error;
      log.error({ err: error, job: name, ...task }, "set aside");
      if (setAside) await setAside(task, log);
      await (setAside ? forgetDeaths(error) : restAfterDeaths(error));
      return null;
    }
  };
}

/** The pieces under way in this process. */
function piecesOf({ atOnce, ofPractice, ofPerson = ofPractice }: Pick<Kind, "atOnce" | "ofPractice" | "ofPerson">) {
  const running = new Set<Running>();
  const runningOf = (owner: string) => [...running].filter(({ task: { ownerId } }) => ownerId === owner);
  const isRunning = ({ ownerId, id }: Task) => runningOf(ownerId).some(({ task }) => task.id === id);
  return {
    running,
    isRunning,
    hasPlace: () => isRoomIn([...running], atOnce),
    isFull: (ownerId: string) => !isRoomIn(runningOf(ownerId), ofPractice),
    /** What waits of a practice, and of somebody who has not enough under way already. */
    nextOf(ownerId: string, line: ReadonlyMap<string, Task>): Task | undefined {
      const those = runningOf(ownerId);
      const ofOne = (userId: string | undefined) => those.filter(({ task }) => task.userId === userId).length;
      for (const one of line.values()) if (ofOne(one.userId) < ofPerson && !isRunning(one)) return one;
      return undefined;
    },
  };
}

/** What waits of each practice; whoever had a turn last stands last, and so does each person's among its own. */
function linesOf({ isFull, nextOf }: Pick<ReturnType<typeof piecesOf>, "isFull" | "nextOf">) {
  const lines = new Map<string, Map<string, Task>>();
  return {
    lines,
    add(task: Task): void {
      const line = lines.get(task.ownerId) ?? new Map<string, Task>();
      if (!line.has(task.id)) line.set(task.id, task);
      lines.set(task.ownerId, line);
    },
    next(): Task | undefined {
      for (const [ownerId, line] of lines) {
        const task = isFull(ownerId) ? undefined : nextOf(ownerId, line);
        if (task) return task;
      }
      return undefined;
    },
    take(task: Task): void {
      const line = lines.get(task.ownerId);
      line?.delete(task.id);
      lines.delete(task.ownerId);
      if (line && line.size > 0) lines.set(task.ownerId, putLast(line, task));
    },
    isWaiting: (ownerId: string) => isFull(ownerId) && nextOf(ownerId, lines.get(ownerId) ?? new Map()) !== undefined,
  };
}

/** Since when somebody waits for a place of all, and of their practice: whatever keeps them waiting becomes late. */
function waitOf({ running }: ReturnType<typeof piecesOf>, { lines, isWaiting }: ReturnType<typeof linesOf>) {
  let fullSince: number | undefined;
  const fullOf = new Map<string, number>();
  return {
    isSomebodyWaiting: () => fullSince !== undefined,
    note: (isFull: boolean) => void (fullSince = isFull ? (fullSince ?? performance.now()) : undefined),
    lookForLate(): void {
      const at = performance.now();
      for (const ownerId of new Set([...lines.keys(), ...fullOf.keys()])) {
        if (!isWaiting(ownerId)) fullOf.delete(ownerId);
        else if (!fullOf.has(ownerId)) fullOf.set(ownerId, at);
      }
      for (const one of running) {
        const since = Math.min(fullSince ?? Infinity, fullOf.get(one.task.ownerId) ?? Infinity);
        if (at - Math.max(since, one.startedAt) > LATE_AFTER_MS) one.isLate = true;
      }
    },
    clear(): void {
      fullSince = undefined;
      fullOf.clear();
    },
  };
}

/** What goes on after a while. */
function timersOf() {
  const timers = new Set<NodeJS.Timeout>();
  return {
    in(ms: number, goOn: () => void): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        goOn();
      }, ms);
      timers.add(timer.unref());
    },
    clear(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

function turnsOf(kind: Kind) {
  const pieces = piecesOf(kind);
  const line = linesOf(pieces);
  const wait = waitOf(pieces, line);
  const later = timersOf();
  let log: Logger | undefined;
  let watching: NodeJS.Timeout | undefined;

  function goOn(): void {
    let task = log && line.next();
    while (log && task && pieces.hasPlace()) {
      line.take(task);
      void doPiece(task, log);
      task = line.next();
    }
    wait.note(task !== undefined);
  }

  async function doPiece(task: Task, by: Logger): Promise<void> {
    const one: Running = { task, startedAt: performance.now(), isLate: false };
    pieces.running.add(one);
    const isOver = () => {
      if (!log || one.isLate) return true;
      const isWaitedFor = wait.isSomebodyWaiting() || line.lines.has(task.ownerId);
      return isWaitedFor && performance.now() - one.startedAt >= PIECE_MS;
    };
    let inMs: number | null = null;
    try {
      inMs = await kind.work(task, { isOver, step: () => undefined }, by);
    } catch (error) {
      // It is found again.
      by.error({ err: error, job: kind.name, ...task }, "job failed");
    }
    pieces.running.delete(one);
    if (inMs === 0) add(task);
    else if (inMs !== null && log) later.in(inMs, () => add(task));
    goOn();
  }

  function add(task: Task): void {
    if (!log) return;
    line.add(task);
    // A request may have brought it, and nothing of that request goes on in it.
    withoutCaller(goOn);
  }

  /** Others go on beside whatever keeps them waiting. */
  function watch(): void {
    wait.lookForLate();
    goOn();
  }

  return {
    add,
    addFound: (tasks: readonly Task[]) => tasks.filter((task) => !pieces.isRunning(task)).forEach(add),
    start(by: Logger): void {
      log = by;
      watching = setInterval(watch, WATCH_MS).unref();
    },
    /** Resolves when what runs came to the end of its piece. */
    async stop(): Promise<void> {
      log = undefined;
      clearInterval(watching);
      later.clear();
      line.lines.clear();
      wait.clear();
      while (pieces.running.size > 0) await sleep(STOPPING_MS, undefined, { ref: false });
    },
  };
}
