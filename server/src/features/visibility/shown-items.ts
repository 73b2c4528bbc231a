import { SHOWN_MAX_LENGTH } from "@app/shared/party-preview";
import { type Asked, fewAtATime } from "../../core/slices.ts";

/** What a query finds until that is more text than is shown to a party; the rest is not read. */
export async function readShown<Doc, Item>(
  query: Asked<Doc>,
  itemOf: (doc: Doc) => Item,
  textOf: (item: Item) => string,
): Promise<Item[]> {
  const items: Item[] = [];
  let length = 0;
  for await (const doc of fewAtATime(query)) {
    const item = itemOf(doc);
    items.push(item);
    length += textOf(item).length;
    if (items.length > 1 && length > SHOWN_MAX_LENGTH) break;
  }
  return items;
}
