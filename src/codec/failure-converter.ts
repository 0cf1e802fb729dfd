// How errors of a worker's own process become failures where payloads are encrypted. Loaded by the SDK, by its path.
import { FailureConverter } from '../workflows/failure-converter.ts';

/** Named as the SDK expects it. */
export const failureConverter = new FailureConverter(() => true);
