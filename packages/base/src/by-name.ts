/** By code unit: the order must not depend on the machine's language. */
export function byName(left: { name: string }, right: { name: string }): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
