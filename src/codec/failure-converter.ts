// Converts errors of a worker's own process into failures, if payloads are encrypted. The SDK loads it by its path.
import { FailureConverter } from '../workflows/failure-converter.ts';

/** The SDK requires this name. */
export const failureConverter = new FailureConverter(() => true);
