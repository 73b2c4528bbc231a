// What rests on a file, such as a signature, says whether it may be deleted now.
import { wrongState } from "../../core/errors.ts";
import type { FileDoc } from "./files.model.ts";

type Hold = (file: FileDoc) => Promise<string | null>;
const holds: Hold[] = [];

/** Gives, in words, why this file stays, or null where it may go; called once, beside the code that rests on files. */
export const defineFileHold = (hold: Hold): void => void holds.push(hold);

/** Throws PRECONDITION_FAILED where something rests on it. */
export async function assertMayGo(file: FileDoc): Promise<void> {
  for (const hold of holds) {
    const why = await hold(file);
    if (why !== null) throw wrongState(why);
  }
}
