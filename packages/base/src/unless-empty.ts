/** The list itself, or undefined if it has no items: for an optional field of `defined`. */
export function unlessEmpty<List extends readonly unknown[]>(list: List): List | undefined {
  return list.length === 0 ? undefined : list;
}
