// What a file tool does not do, in words for the model. Runs in Node.

/** A refusal or a missing file, in words for the model. Never says what is outside the roots. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

/** A file system error in words for the model; undefined errors and unknown codes keep their code only. */
export function toRefusal(error: unknown): FileRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const known: Record<string, string> = {
    ENOENT: 'There is no such file or folder.',
    ENOTDIR: 'A part of the path is a file, not a folder.',
    EACCES: "The worker's user may not read that.",
    EPERM: "The worker's user may not read that.",
    ELOOP: 'Refused: the path ends in a symbolic link that could not be resolved.',
    ENAMETOOLONG: 'The path is too long.',
    ERR_INVALID_ARG_VALUE: 'The path holds a NUL character.',
  };
  return new FileRefusal(known[code] ?? `It could not be read (${code}).`);
}
