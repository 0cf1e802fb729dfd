/** The list or record itself, or undefined if there is nothing in it: for an optional field of `defined`. */
export function unlessEmpty<Value extends readonly unknown[] | { readonly [name: string]: unknown }>(
  value: Value,
): Value | undefined {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  return size === 0 ? undefined : value;
}
