// Room for what is sent to us. It is held until the call that it belongs to has ended: what is made of a body, such as
// a mail that a slow server takes, lives as long and is as large.
import { tooManyRequests } from "./errors.ts";
import type { Asker } from "./fair-turns.ts";
import { count } from "./giving-way.ts";

/** What is no larger is never refused for want of room. */
export const SMALL_BYTES = 16 * 1024;
const MB = 1024 * 1024;
/** Of one person, and of all together who are not signed in: the largest mail that a program may send, and some more. */
const ROOM_BYTES = { inAll: 192 * MB, ofOne: 48 * MB };

const held = new Map<string, number>();
const ALL = "all";

/** What one call of this asker holds. */
export function bodyRoomOf({ group, one }: Asker) {
  let bytes = 0;
  let isLeft = false;
  const hold = (more: number) => {
    bytes += more;
    for (const key of [ALL, group, `${group} ${one}`]) count(held, key, more);
  };

  /**
   * Nobody holds more than they leave free for all others. So whoever holds most is refused first, and there is room
   * for whoever holds nothing. Networks share in the same way what anonymous callers have together.
   */
  function mayHold(more: number): boolean {
    const ofGroup = bytesOf(group) + more;
    const isRoomInAll = ofGroup <= Math.min(ROOM_BYTES.ofOne, ROOM_BYTES.inAll - bytesOf(ALL) - more);
    const isRoomInGroup = one === "" || bytesOf(`${group} ${one}`) + more <= ROOM_BYTES.ofOne - ofGroup;
    return isRoomInAll && isRoomInGroup;
  }

  return {
    /** Holds so much in all from now on. Throws TOO_MANY_REQUESTS where there is no room for it. */
    holdUpTo(total: number): void {
      const more = total - bytes;
      // What goes on after the end of its call would hold it for good.
      if (isLeft || more <= 0) return;
      if (total > SMALL_BYTES && !mayHold(more))
        throw tooManyRequests("Too much is being sent at this moment. Try again in a minute.");
      hold(more);
    },
    leave(): void {
      isLeft = true;
      hold(-bytes);
    },
  };
}

const bytesOf = (key: string): number => held.get(key) ?? 0;
