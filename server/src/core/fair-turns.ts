// Who is next, where many want what few can have at once: turns go round, however much somebody asks for.
import { busy } from "./errors.ts";
import { recentUse } from "./recent-use.ts";

/** Turns go round over the groups, and within a group over each of it: practices and their people, or networks. */
export interface Asker {
  group: string;
  one: string;
}

/** The turns of somebody who works in a practice. */
export const ofPerson = ({ ownerId, userId }: { ownerId: string; userId: string }): Asker => ({
  group: ownerId,
  one: userId,
});

/** The turns of another installation, for whomever there it calls. */
export const INSTALLATION: Asker = { group: "installation", one: "" };

/** The turns of somebody for what is their own, whatever practice they work in. */
export const ofUser = (userId: string): Asker => ({ group: userId, one: userId });

interface Limits {
  /** Under way, in all and of each asker. */
  atOnce: number;
  ofOne: number;
  /** How many may wait; as many as come where left out. */
  waiting?: { inAll: number; ofGroup: number; ofOne: number };
  /**
   * How many are left to groups that were at work for no more than `lightMs` lately; of the others, whoever was for least
   * comes first. Where left out, nobody counts that.
   */
  forLight?: { turns: number; lightMs: number };
  /** What whoever comes then is told; it is everybody's affair, or their own. */
  refuse?: (isOfAll: boolean) => Error;
}

interface Line {
  working: number;
  waiting: number;
}
interface One extends Line {
  begins: Set<() => void>;
}
interface Group extends Line {
  name: string;
  /** Whoever had a turn last stands last. */
  ones: Map<string, One>;
}

type Take = (asker: Asker, begin: () => void) => () => void;

/**
 * Work that begins at once while little is under way; else whoever has least under way comes first, and of those who
 * have the same whoever had no turn for longest. What is given has to be called at its end, whether it has begun or not.
 */
export function fairTurns({ atOnce, ofOne, waiting: most, forLight, refuse = () => busy() }: Limits): Take {
  const groups = new Map<string, Group>();
  const all: Line = { working: 0, waiting: 0 };
  const used = recentUse();
  const usedBy = ({ name }: Group) => (forLight ? used.of(name) : 0);
  const isHeavy = (group: Group) => forLight !== undefined && usedBy(group) > forLight.lightMs;
  const mayBegin = ({ waiting, working }: One) => waiting > 0 && working < ofOne;

  function hasRoomForHeavy(): boolean {
    if (!forLight) return true;
    const heavy = [...groups.values()].filter(isHeavy);
    return heavy.reduce((sum, { working }) => sum + working, 0) < atOnce - forLight.turns;
  }

  function beginNext(): boolean {
    const isRoom = hasRoomForHeavy();
    const mayGroupBegin = (group: Group) => (isRoom || !isHeavy(group)) && first(group.ones, mayBegin) !== undefined;
    const group = first(groups, mayGroupBegin, usedBy);
    const one = group && first(group.ones, mayBegin);
    const [begin] = one?.begins ?? [];
    if (!group || !one || !begin) return false;
    one.begins.delete(begin);
    for (const line of [all, group, one]) {
      line.waiting -= 1;
      line.working += 1;
    }
    begin();
    return true;
  }

  function goOn(): void {
    while (all.working < atOnce && beginNext());
  }

  return function take(asker, begin) {
    const group = kept(groups, asker.group, () => aGroup(asker.group));
    const one = kept(group.ones, asker.one, () => ({ working: 0, waiting: 0, begins: new Set<() => void>() }));
    // By itself, also where the same is asked for twice.
    let began: number | undefined;
    const mine = () => {
      began = performance.now();
      begin();
    };
    one.begins.add(mine);
    for (const line of [all, group, one]) line.waiting += 1;
    const end = () => {
      const isWaiting = one.begins.delete(mine);
      for (const line of [all, group, one]) line[isWaiting ? "waiting" : "working"] -= 1;
      if (forLight && began !== undefined) used.add(asker.group, performance.now() - began);
      putLast(group.ones, asker.one, one);
      putLast(groups, asker.group, group);
      goOn();
    };
    goOn();
    const isTooMany = most && (all.waiting > most.inAll || group.waiting > most.ofGroup || one.waiting > most.ofOne);
    if (isTooMany && one.begins.has(mine)) {
      const isOfAll = all.waiting > most.inAll;
      end();
      throw refuse(isOfAll);
    }
    return end;
  };
}

const aGroup = (name: string): Group => ({ name, working: 0, waiting: 0, ones: new Map() });

function kept<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key) ?? make();
  if (!map.has(key)) map.set(key, known);
  return known;
}

/** Behind all others, or nowhere where nothing is left of it. */
function putLast<Value extends Line>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (value.working > 0 || value.waiting > 0) map.set(key, value);
}

/** Of those that may, the one that has least under way, and used least; the first of several. */
function first<Value extends Line>(
  map: Map<string, Value>,
  may: (value: Value) => boolean,
  used: (value: Value) => number = () => 0,
): Value | undefined {
  let best: Value | undefined;
  for (const value of map.values()) {
    const isBehind = best && (value.working - best.working || used(value) - used(best)) >= 0;
    if (isBehind || !may(value)) continue;
    best = value;
    if (value.working === 0 && used(value) === 0) break;
  }
  return best;
}

/**
 * Gives what ends the turn, once it has come. Throws `busy` where too many wait, or where by then nobody waits for it.
 */
export async function turnOf(take: Take, asker: Asker, gone?: AbortSignal): Promise<() => void> {
  const turn = Promise.withResolvers<void>();
  const leave = () => turn.reject(busy());
  const end = take(asker, turn.resolve);
  gone?.addEventListener("abort", leave, { once: true });
  try {
    if (gone?.aborted) throw busy();
    await turn.promise;
    return end;
  } catch (error) {
    end();
    throw error;
  } finally {
    gone?.removeEventListener("abort", leave);
  }
}

/** Does work in its turn, or not at all where nobody waits for it any more by then. Throws `busy` where too many wait. */
export async function inTurn<Result>(
  take: Take,
  asker: Asker,
  work: () => Promise<Result>,
  gone?: AbortSignal,
): Promise<Result> {
  const end = await turnOf(take, asker, gone);
  try {
    return await work();
  } finally {
    end();
  }
}
