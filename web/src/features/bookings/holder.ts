// Who holds a time, as long as this tab is open: after a reload the time that they held is still theirs.
import { makeId } from "../../core/new-id.ts";
import { remember, remembered } from "../../core/tab-memory.ts";

const keyOf = (linkId: string) => `holder:${linkId}`;

export function holderOf(linkId: string): string {
  const known = remembered(keyOf(linkId));
  if (known) return known;
  const holder = makeId();
  remember(keyOf(linkId), holder);
  return holder;
}
