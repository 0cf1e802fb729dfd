// The end of a list by its size. Pure.

/** The newest items that fit, oldest first as they came. */
export function newest<Item>(items: readonly Item[], bytes: number, bytesOf: (item: Item) => number): Item[] {
  let left = bytes;
  const first = items.findLastIndex((item) => (left -= bytesOf(item)) < 0);
  return items.slice(first + 1);
}
