/** For a list that is a map: whether no two items of it have the same key. */
export const eachOnce = <Item>(items: readonly Item[], keyOf: (item: Item) => string): boolean =>
  new Set(items.map(keyOf)).size === items.length;
