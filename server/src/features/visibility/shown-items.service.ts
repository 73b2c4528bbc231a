import { ASKED_MAX, SHOWN_MAX_LENGTH } from "@app/shared/party-preview";
import { type Asked, fewAtATime } from "../../core/slices.ts";

/** What a query finds until that is more than is shown to a party; the rest is not read, and null is not for them. */
export async function readShown<Doc, Item>(
  query: Asked<Doc>,
  itemOf: (doc: Doc) => Item | null,
  lengthOf: (item: Item) => number,
): Promise<Item[]> {
  const items: Item[] = [];
  let total = 0;
  for await (const doc of fewAtATime(query)) {
    const item = itemOf(doc);
    if (item === null) continue;
    items.push(item);
    total += lengthOf(item);
    if (items.length >= ASKED_MAX || (items.length > 1 && total > SHOWN_MAX_LENGTH)) break;
  }
  return items;
}
