import { MINUTE_MS } from "./clock.ts";
import { isDatabaseFailure } from "./database.ts";
import { counted, DiedOverError, forgetDeaths, NotNowError } from "./deaths.ts";
import { isBusy } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** When what was put back is tried again, where its queue does not come round by itself. */
export const PUT_BACK_MS = 2 * MINUTE_MS;

interface Apart {
  /** What the log calls the item; nothing of what it holds. */
  item: Readonly<Record<string, string | number>>;
  /** Names it for all processes, where it is taken up again if one dies over it: too many deaths set it aside. */
  place?: string;
  log: Logger;
  /** Puts it where it stops nothing, and where whoever can act sees it. */
  setAside: (error: unknown) => Promise<void>;
  /** Puts it back to be tried again in some minutes, as if it had not been tried. */
  putBack: () => Promise<unknown>;
  /** Whether what was thrown is the item's own affair; all but a failing database where left out. */
  isItsOwn?: (error: unknown) => boolean;
}

const isNotOfDatabase = (error: unknown) => !isDatabaseFailure(error);

/**
 * Does the work on one item of a queue, apart from all others. What it throws is the item's own affair: it is set
 * aside, and false is given. That the server is busy is no item's fault: it is put back, which gives false too. Nor is
 * a database that is away: that ends the round, which comes again.
 */
export async function apart(
  work: () => Promise<unknown>,
  { item, place, log, setAside, putBack, isItsOwn = isNotOfDatabase }: Apart,
): Promise<boolean> {
  try {
    await (place === undefined ? work() : counted(place, work));
    return true;
  } catch (error) {
    if (isBusy(error) || error instanceof NotNowError) {
      log.warn(item, "put back, because the server is busy");
      await putBack();
      return false;
    }
    const isDeath = error instanceof DiedOverError;
    if (!isDeath && !isItsOwn(error)) throw error;
    log.error({ err: error, ...item }, "set aside");
    await setAside(error);
    if (isDeath && place !== undefined) await forgetDeaths(error);
    return false;
  }
}
