/** A copy without these fields; of a union, each member without them. */
export function omit<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  ...names: readonly Name[]
): Fields extends unknown ? Omit<Fields, Name> : never {
  const rest = Object.entries(fields).filter(([field]) => !names.some((name) => name === field));
  return Object.fromEntries(rest) as Fields extends unknown ? Omit<Fields, Name> : never;
}
