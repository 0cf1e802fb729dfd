// Records by their values: mapped, or made for a list of names. Pure.

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

export async function mapValuesAsync<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => Promise<To>,
): Promise<Record<string, To>> {
  const changed = Object.entries(record).map(async ([name, value]) => [name, await change(value)] as const);
  return Object.fromEntries(await Promise.all(changed));
}

/** A record with a value for each of these names. */
export function recordOf<const Names extends readonly string[], Value>(
  names: Names,
  valueOf: (name: Names[number]) => Value,
): Record<Names[number], Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Names[number], Value>;
}
