// What was thrown, in words. Pure.

/** The message of anything thrown, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
