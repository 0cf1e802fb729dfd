/** For `catch` of a read: `value` in place of a file or folder that is not there. Errors without `more` codes are thrown. */
export function ifMissing<T>(value: T, ...more: string[]): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT', ...more)) return value;
    throw error;
  };
}

/** True for an Error with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
