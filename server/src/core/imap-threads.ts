// The few threads in which mail is read. Everybody's mail is read in the same one of them each time; whose took too long
// is read in one of its own.
import { crc32 } from "node:zlib";
import { newQuarantine } from "./imap-quarantine.ts";
import {
  endThread,
  heldUpBy,
  LeftAloneError,
  type Limits,
  type Listener,
  type Place,
  placeIn,
  startThread,
  type Thread,
} from "./imap-thread.ts";

const SHARED = 2;
const APART_MAX = 3;
// A page of fifty mails takes some 50 ms of work; a mail of 5,000 parts in it half a second more.
const LIMITS: Limits = { lookMs: 250, workMaxMs: 3000, busyMaxMs: 4000, silentMaxMs: 25_000, unusedMaxMs: 30_000 };
const LIMITS_APART: Limits = { ...LIMITS, workMaxMs: 7000, unusedMaxMs: 2000 };

export interface Threads {
  /** Throws where this person's mail is left alone for now. */
  takePlace: (of: string, listener: Listener) => Place;
  /** Whether this person's mail waits for that of others now. */
  waitsForOthers: (of: string) => boolean;
  /** Cuts off all that is read. */
  end: () => void;
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
      limits: { ...(isApart ? LIMITS_APART : LIMITS), ...limits },
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
    end() {
      for (const thread of [...shared.values(), ...apart.values()])
        endThread(thread, new Error("all of them are ended"));
    },
  };
}

const sharedName = (of: string): string => String(crc32(of) % SHARED);
