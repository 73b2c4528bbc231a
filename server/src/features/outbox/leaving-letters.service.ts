import type { Staying } from "./outbox-delivery.service.ts";

interface LeavingLetter {
  ownerId: string;
  mailId: string;
  to: string;
}

type Judge = (letter: LeavingLetter) => Promise<Staying | null>;
const judges: Judge[] = [];

/** Why a letter need not leave as what it was written of stands now, or null; called once, beside the code that writes it. */
export const defineLeavingLetter = (judge: Judge): void => void judges.push(judge);

export async function whyLetterStays(letter: LeavingLetter): Promise<Staying | null> {
  for (const judge of judges) {
    const why = await judge(letter);
    if (why) return why;
  }
  return null;
}
