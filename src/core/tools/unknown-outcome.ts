// The texts for the model if it is unknown whether a call took effect. Pure.

const verifyFirst = 'so it may have taken effect or not. Verify with a read before you repeat it.';

export const unknownOutcome = `Outcome unknown: the worker was lost while this tool ran, ${verifyFirst}`;

/** For a `once` call that this session had begun before a reset. */
export const forgottenCall =
  'Outcome unknown: this session had begun the same call before it was reset to an earlier point, and its history no ' +
  `longer has the result, ${verifyFirst}`;
