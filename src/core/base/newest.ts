// The end of a list within a limit. Pure.

/** The newest items that fit: the list is in order, oldest first. */
export function newest<Item>(items: readonly Item[], bytes: number, bytesOf: (item: Item) => number): Item[] {
  let left = bytes;
  const first = items.findLastIndex((item) => (left -= bytesOf(item)) < 0);
  return items.slice(first + 1);
}
