/** The items that are neither undefined nor false, in their order; other falsy ones, such as '' and 0, stay. */
export function present<Item>(items: readonly (Item | undefined | false)[]): Item[] {
  return items.filter((item): item is Item => item !== undefined && item !== false);
}
