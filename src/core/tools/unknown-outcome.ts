// The text for the model if it is unknown whether a call took effect. Pure.

export const unknownOutcome =
  'Outcome unknown: the worker was lost while this tool ran, so it may have taken effect or not. ' +
  'Verify with a read before you repeat it.';
