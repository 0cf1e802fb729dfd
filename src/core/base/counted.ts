// Numbers of things in messages for people. Pure.

/** `1 turn`, `2 turns`; `many` where an s does not make the plural. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
