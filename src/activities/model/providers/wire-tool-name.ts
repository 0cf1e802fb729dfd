// Names of called tools as every provider accepts them back. A model may call one that does not exist by any name at
// all ("functions.grep"), and a request that repeats such a name is refused, as are all after it. Pure.

/** Whole where it is one that a declared tool can have. */
export function toWireToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}
