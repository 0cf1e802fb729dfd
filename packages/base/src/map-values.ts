// Maps the values of a record. Pure.

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
