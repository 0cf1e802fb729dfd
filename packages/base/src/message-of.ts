// The message of a thrown value. Pure.

/** Message of any thrown value, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
