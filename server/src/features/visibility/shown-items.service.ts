import { SHOWN_MAX_LENGTH } from "@app/shared/party-preview";
import { type Asked, fewAtATime } from "../../core/slices.ts";

/** What a query finds until that is more than is shown to a party; the rest is not read, and null is not for them. */
export async function readShown<Doc, Item>(
  query: Asked<Doc>,
  itemOf: (doc: Doc) => Item | null | Promise<Item | null>,
  lengthOf: (item: Item) => number,
  most = Infinity,
): Promise<Item[]> {
  const items: Item[] = [];
  let total = 0;
  for await (const doc of fewAtATime(query)) {
    const item = await itemOf(doc);
    if (item === null) continue;
    items.push(item);
    total += lengthOf(item);
    if (items.length >= most || (items.length > 1 && total > SHOWN_MAX_LENGTH)) break;
  }
  return items;
}
