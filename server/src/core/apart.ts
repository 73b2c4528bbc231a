import { isDatabaseFailure } from "./database.ts";
import type { Logger } from "./logger.ts";

interface Apart {
  /** What the log calls the item; nothing of what it holds. */
  item: Readonly<Record<string, string | number>>;
  log: Logger;
  /** Puts it where it stops nothing, and where whoever can act sees it. */
  setAside: (error: unknown) => Promise<void>;
  /** Whether what was thrown is the item's own affair; all but a failing database where left out. */
  isItsOwn?: (error: unknown) => boolean;
}

const isNotOfDatabase = (error: unknown) => !isDatabaseFailure(error);

/**
 * Does the work on one item of a queue, apart from all others. What it throws is the item's own affair: it is set
 * aside, and false is given. A database that is away is no item's fault: that ends the round, which comes again.
 */
export async function apart(
  work: () => Promise<unknown>,
  { item, log, setAside, isItsOwn = isNotOfDatabase }: Apart,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isItsOwn(error)) throw error;
    log.error({ err: error, ...item }, "set aside");
    await setAside(error);
    return false;
  }
}
