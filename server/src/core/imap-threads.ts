// The few threads in which mail is read. Everybody's mail is read in the same one of them each time; whose took too long
// is read in one of its own.
import { newQuarantine } from "./imap-quarantine.ts";
import { heldUpBy, LeftAloneError, type Limits, type Listener, type Place, placeIn, startThread, type Thread } from "./imap-thread.ts";

const SHARED = 2;
const APART_MAX = 3;
const APART_UNUSED_MAX_MS = 2000;
const LIMITS: Limits = { lookMs: 250, busyMaxMs: 3000, silentMaxMs: 25_000, unusedMaxMs: 30_000 };

export interface Threads {
  /** Throws where this person's mail is left alone for now. */
  takePlace: (of: string, listener: Listener) => Place;
  /** Whether this person's mail waits for that of others now. */
  waitsForOthers: (of: string) => boolean;
}

export function startThreads(limits: Partial<Limits> = {}): Threads {
  const quarantine = newQuarantine();
  const shared = new Map<string, Thread>();
  const apart = new Map<string, Thread>();

  const threadOf = (of: string, isApart: boolean): Thread => {
    const [threads, name] = isApart ? [apart, of] : [shared, sharedName(of)];
    const known = threads.get(name);
    if (known) return known;
    if (isApart && apart.size >= APART_MAX) throw new LeftAloneError();
    const thread = startThread({
      limits: { ...LIMITS, ...limits, ...(isApart ? { unusedMaxMs: APART_UNUSED_MAX_MS } : {}) },
      isApart,
      onTooMuch: (one) => quarantine.note(one, { wasApart: isApart }),
      onEnd: () => void threads.delete(name),
    });
    threads.set(name, thread);
    return thread;
  };
  return {
    takePlace(of, listener) {
      if (quarantine.isPaused(of)) throw new LeftAloneError();
      return placeIn(threadOf(of, quarantine.isApart(of)), of, listener);
    },
    waitsForOthers(of) {
      const thread = quarantine.isApart(of) ? apart.get(of) : shared.get(sharedName(of));
      const holder = thread && heldUpBy(thread);
      return holder !== undefined && holder !== of;
    },
  };
}

const sharedName = (of: string): string =>
  String([...of].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7) % SHARED);
