import type { Logger } from "../../core/logger.ts";

export interface LeavingLetter {
  ownerId: string;
  mailId: string;
  /** By whose mailbox it leaves. */
  carrierId: string;
}

type Right = (letter: LeavingLetter, log: Logger) => Promise<string>;
const rights: Right[] = [];

/** Why a letter with what not everybody may have does not leave by this mailbox, else empty; called once, beside the code that writes it. */
export const defineLeavingRight = (right: Right): void => void rights.push(right);

export async function whyNotByCarrier(letter: LeavingLetter, log: Logger): Promise<string> {
  for (const right of rights) {
    const why = await right(letter, log);
    if (why) return why;
  }
  return "";
}
