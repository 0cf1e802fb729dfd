// Readers of what docker prints. Pure.
import { answer, type Reader } from '../../packages/sources/src/source-answer.ts';

/** Lines that come oldest first. */
export const newestFirst: Reader = (said) => answer(said.split('\n').toReversed());
